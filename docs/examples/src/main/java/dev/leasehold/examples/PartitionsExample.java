package dev.leasehold.examples;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;

/** An engine of a namespace that many processes write. */
final class PartitionsExample {

    private PartitionsExample() {}

    static LeaseEngine start(MongoClient client, String database) {
        // example:start partitions
        LeaseEngine engine = LeaseEngine.builder(client)
                .database(database)
                .namespace("billing")
                .partitions(16) // in every process the same
                .build();
        // example:end partitions
        return engine;
    }
}
