package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.Document;

/** Starts nodes that are processes on this machine. */
final class LocalDeployment {

    private static final int PORT_ATTEMPTS = 5;
    /** A fifth of the server's default: a fault should cost a test seconds, and a busy machine should not be one. */
    private static final int ELECTION_TIMEOUT_MILLIS = 2_000;

    private static final int HEARTBEAT_INTERVAL_MILLIS = 200;

    private final Path folder;
    private final String setName;
    private final Access access;
    private final List<ProcessNode> nodes = new ArrayList<>();

    private LocalDeployment(Path folder, String setName, Access access) {
        this.folder = folder;
        this.setName = setName;
        this.access = access;
    }

    static Deployment start(Path mongod, ReplicaSetSettings settings) throws IOException {
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

    private static Deployment startOnFreePorts(Path mongod, ReplicaSetSettings settings) throws IOException {
        RunFolder run = RunFolder.ofThisJvm();
        List<Integer> ports = Ports.free(settings.nodes());
        // A client that still calls a port of an earlier set must not take this one for it.
        String setName = "leasehold-" + ports.get(0);
        Path folder = run.newFolder();
        Access access = settings.authentication() ? Access.withKeyIn(folder) : Access.ofAll();
        LocalDeployment starting = new LocalDeployment(folder, setName, access);
        try {
            for (int port : ports) {
                Path dataFolder = folder.resolve("node-" + starting.nodes.size());
                starting.startNode(
                        run,
                        new MongodCommand(mongod, setName, port, dataFolder, access, settings.parameters()),
                        settings.nodes() == 1);
            }
            starting.initiate();
            return starting.deployment();
        } catch (IOException | RuntimeException e) {
            starting.deployment().close();
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
        // Without credentials: as long as a server has no users it lets a client on the same machine do this.
        try (NodeConnection connection = NodeConnection.toListening(nodes.get(0).address())) {
            connection.run(new Document("replSetInitiate", config()));
        }
        access.establish(servers(), setName);
        nodes.forEach(ProcessNode::shortenShutdown);
    }

    private Document config() {
        return new Document("_id", setName)
                .append(
                        "members",
                        nodes.stream()
                                .map(node -> new Document("_id", node.index()).append("host", node.address()))
                                .toList())
                .append(
                        "settings",
                        new Document("electionTimeoutMillis", ELECTION_TIMEOUT_MILLIS)
                                .append("heartbeatIntervalMillis", HEARTBEAT_INTERVAL_MILLIS));
    }

    private Deployment deployment() {
        return new Deployment(access.uri(servers(), setName), nodes, this::deleteFolder);
    }

    private void deleteFolder() {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new IllegalStateException("cannot delete " + folder, e);
        }
    }

    private String servers() {
        return nodes.stream().map(Node::address).collect(Collectors.joining(","));
    }
}
