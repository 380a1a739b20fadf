package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Nodes that are processes on this machine. */
final class LocalDeployment implements Deployment {

    private static final int PORT_ATTEMPTS = 5;

    private final Path folder;
    private final String setName;
    private final Access access;
    private final List<ProcessNode> nodes = new ArrayList<>();

    private LocalDeployment(Path folder, String setName, Access access) {
        this.folder = folder;
        this.setName = setName;
        this.access = access;
    }

    static LocalDeployment start(Path mongod, ReplicaSetSettings settings) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOnFreePorts(mongod, settings);
            } catch (PortTakenException e) {
                if (attempt == PORT_ATTEMPTS) {
                    throw new ReplicaSetUnavailableException("no port stays free: " + e.getMessage(), e);
                }
            }
        }
    }

    @Override
    public String uri() {
        return access.uri(servers(), setName);
    }

    @Override
    public List<ProcessNode> nodes() {
        return nodes;
    }

    @Override
    public void revive() {
        nodes.forEach(ProcessNode::revive);
    }

    @Override
    public void close() {
        nodes.forEach(ProcessNode::close);
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new IllegalStateException("cannot delete " + folder, e);
        }
    }

    private static LocalDeployment startOnFreePorts(Path mongod, ReplicaSetSettings settings) throws IOException {
        RunFolder run = RunFolder.ofThisJvm();
        List<Integer> ports = Ports.free(settings.nodes());
        // A client that still calls a port of an earlier set must not take this one for it.
        String setName = "leasehold-" + ports.get(0);
        Path folder = run.newFolder();
        Access access = settings.authentication() ? AuthenticatedAccess.withKeyIn(folder) : new OpenAccess();
        LocalDeployment deployment = new LocalDeployment(folder, setName, access);
        try {
            for (int port : ports) {
                Path dataFolder = folder.resolve("node-" + deployment.nodes.size());
                deployment.startNode(
                        run,
                        new MongodCommand(mongod, setName, port, dataFolder, access, settings.parameters()),
                        settings.nodes() == 1);
            }
            deployment.initiate();
            return deployment;
        } catch (IOException | RuntimeException e) {
            deployment.close();
            throw e;
        }
    }

    private void startNode(RunFolder run, MongodCommand command, boolean alone) throws IOException {
        nodes.add(ProcessNode.start(run, nodes.size(), command, alone));
    }

    private void initiate() {
        for (ProcessNode node : nodes) {
            node.awaitListening();
        }
        Initiation.of(setName, nodes);
        access.establish(servers(), setName);
        nodes.forEach(ProcessNode::shortenShutdown);
    }

    private String servers() {
        return nodes.stream().map(Node::address).collect(Collectors.joining(","));
    }
}
