package dev.leasehold.replicaset;

import com.mongodb.client.MongoClient;
import org.bson.Document;

/** Drops a database, but does not wait for ever for a transaction that holds one of its documents. */
final class DatabaseDrop {

    private static final int LIMIT_MILLIS = 10_000;

    private DatabaseDrop() {}

    static void drop(MongoClient client, String database) {
        client.getDatabase(database).runCommand(new Document("dropDatabase", 1).append("maxTimeMS", LIMIT_MILLIS));
    }
}
