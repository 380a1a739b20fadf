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
    private final List<ProcessNode> nodes;

    private LocalDeployment(Path folder, String setName, List<ProcessNode> nodes) {
        this.folder = folder;
        this.setName = setName;
        this.nodes = nodes;
    }

    static LocalDeployment start(Path mongod, int nodeCount) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOnFreePorts(mongod, nodeCount);
            } catch (PortTakenException e) {
                if (attempt == PORT_ATTEMPTS) {
                    throw new ReplicaSetUnavailableException("no port stays free: " + e.getMessage(), e);
                }
            }
        }
    }

    @Override
    public String uri() {
        return nodes.stream()
                .map(Node::address)
                .collect(Collectors.joining(",", "mongodb://", "/?replicaSet=" + setName));
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

    private static LocalDeployment startOnFreePorts(Path mongod, int nodeCount) throws IOException {
        RunFolder run = RunFolder.ofThisJvm();
        List<Integer> ports = Ports.free(nodeCount);
        // A client that still calls a port of an earlier set must not take this one for it.
        String setName = "leasehold-" + ports.get(0);
        LocalDeployment deployment = new LocalDeployment(run.newFolder(), setName, new ArrayList<>());
        try {
            for (int port : ports) {
                Path dataFolder = deployment.folder.resolve("node-" + deployment.nodes.size());
                MongodCommand command = new MongodCommand(mongod, setName, port, dataFolder);
                deployment.nodes.add(ProcessNode.start(run, deployment.nodes.size(), command, nodeCount == 1));
            }
            for (ProcessNode node : deployment.nodes) {
                node.awaitListening();
            }
            Initiation.of(setName, deployment.nodes);
            return deployment;
        } catch (IOException | RuntimeException e) {
            deployment.close();
            throw e;
        }
    }
}
