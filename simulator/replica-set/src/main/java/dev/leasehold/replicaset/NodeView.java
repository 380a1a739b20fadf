package dev.leasehold.replicaset;

import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * What a node says of itself and its set.
 *
 * @param election of the primary that the node is or follows; a later election has a greater one
 */
record NodeView(
        boolean isPrimary, boolean isSecondary, Optional<String> setName, ObjectId election, List<String> hosts) {

    private static final ObjectId NO_ELECTION = new ObjectId(new byte[12]);

    static NodeView of(Document hello) {
        return new NodeView(
                hello.getBoolean("isWritablePrimary", false),
                hello.getBoolean("secondary", false),
                Optional.ofNullable(hello.getString("setName")),
                Optional.ofNullable(hello.getObjectId("electionId")).orElse(NO_ELECTION),
                hello.getList("hosts", String.class, List.of()));
    }

    boolean isAtWork() {
        return isPrimary || isSecondary;
    }
}
