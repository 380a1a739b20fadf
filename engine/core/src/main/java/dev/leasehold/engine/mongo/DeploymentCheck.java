package dev.leasehold.engine.mongo;

import dev.leasehold.engine.UnsupportedDeploymentException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** Whether a deployment and a collection can carry leases, from what the server says about them. */
final class DeploymentCheck {

    private DeploymentCheck() {}

    /** Whether the cluster is a sharded one, by the answer of {@code hello}. */
    static boolean isSharded(BsonDocument hello) {
        return new BsonString("isdbgrid").equals(hello.get("msg"));
    }

    static void checkServer(BsonDocument hello) {
        if (isSharded(hello)) {
            return;
        }
        if (!hello.containsKey("setName")) {
            throw refused("the server is standalone. Leases need transactions, and these need a replica set;"
                    + " a set of one node will do");
        }
        if (!hello.getBoolean("isWritablePrimary", BsonBoolean.FALSE).getValue()) {
            throw refused("the client is connected directly to the secondary " + hello.get("me")
                    + " of the replica set " + hello.get("setName") + ". Leave directConnection out of its settings");
        }
    }

    /**
     * Whether the collection compares byte for byte and takes guarded updates.
     *
     * @param info as the server lists it; null if there is no such collection yet
     */
    static void checkCollection(String collection, @Nullable BsonDocument info) {
        if (info == null) {
            return;
        }
        String type = info.getString("type", new BsonString("collection")).getValue();
        if (!type.equals("collection")) {
            throw refused("'" + collection + "' is a " + type + ", where a plain collection is needed");
        }
        BsonDocument options = info.getDocument("options", new BsonDocument());
        if (options.containsKey("collation")) {
            throw refused("collection '" + collection + "' has the collation " + options.get("collation")
                    + ". Names of leases are compared byte for byte, which needs the simple one");
        }
        if (options.getBoolean("capped", BsonBoolean.FALSE).getValue()) {
            throw refused("collection '" + collection + "' is capped, and would drop leases that are held");
        }
    }

    private static UnsupportedDeploymentException refused(String why) {
        return new UnsupportedDeploymentException(why, null);
    }
}
