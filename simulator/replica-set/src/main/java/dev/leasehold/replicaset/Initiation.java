package dev.leasehold.replicaset;

import java.util.List;
import org.bson.Document;

/** Makes a replica set of nodes that just started. */
final class Initiation {

    /** A fifth of the server's default: a fault should cost a test seconds, and a busy machine should not be one. */
    private static final int ELECTION_TIMEOUT_MILLIS = 2_000;

    private static final int HEARTBEAT_INTERVAL_MILLIS = 200;

    private Initiation() {}

    static void of(String setName, List<? extends Node> nodes) {
        // Without credentials: as long as a server has no users it lets a client on the same machine do this.
        try (NodeConnection connection = NodeConnection.toListening(nodes.get(0).address())) {
            connection.run(new Document("replSetInitiate", config(setName, nodes)));
        }
    }

    private static Document config(String setName, List<? extends Node> nodes) {
        return new Document("_id", setName)
                .append("members", nodes.stream().map(Initiation::member).toList())
                .append(
                        "settings",
                        new Document("electionTimeoutMillis", ELECTION_TIMEOUT_MILLIS)
                                .append("heartbeatIntervalMillis", HEARTBEAT_INTERVAL_MILLIS));
    }

    private static Document member(Node node) {
        return new Document("_id", node.index()).append("host", node.address());
    }
}
