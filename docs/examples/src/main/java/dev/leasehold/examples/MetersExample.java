package dev.leasehold.examples;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import io.micrometer.core.instrument.MeterRegistry;

/** An engine that keeps its meters in the registry of the application. */
final class MetersExample {

    private MetersExample() {}

    static LeaseEngine start(MongoClient client, String database, MeterRegistry registry) {
        // example:start meters
        LeaseEngine engine = LeaseEngine.builder(client)
                .database(database)
                .namespace("billing")
                .meters(LeaseMeters.to(registry))
                .build();
        // example:end meters
        return engine;
    }
}
