package dev.leasehold.operator;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.LeaseInspector;
import java.time.Duration;

/** A client of the servers, and what is made from it. Sends nothing by itself. */
final class Connection implements AutoCloseable {

    private final MongoClient client;
    private final String database;
    private final String collection;
    private final String namespace;
    private final long driftPpm;
    private final Duration timeout;

    Connection(
            MongoClientSettings settings,
            String database,
            String collection,
            String namespace,
            long driftPpm,
            Duration timeout) {
        this.client = MongoClients.create(settings);
        this.database = database;
        this.collection = collection;
        this.namespace = namespace;
        this.driftPpm = driftPpm;
        this.timeout = timeout;
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }

    String collection() {
        return collection;
    }

    String namespace() {
        return namespace;
    }

    /** For all that only looks. */
    LeaseInspector inspector() {
        return builder().buildInspector();
    }

    /** An engine for orders, which shows in the documents for as long as the order takes. To be closed by the caller. */
    LeaseEngine engine(Duration retention) {
        int partitions;
        try (LeaseInspector inspector = inspector()) {
            partitions = inspector.partitions();
        }
        return builder()
                .partitions(partitions)
                .retention(retention)
                .instance("operator:" + ProcessHandle.current().pid())
                .build();
    }

    LeaseEngine engine() {
        return engine(Duration.ofHours(1));
    }

    private LeaseEngineBuilder builder() {
        Duration command = timeout.compareTo(Duration.ofSeconds(5)) < 0 ? timeout : Duration.ofSeconds(5);
        return LeaseEngine.builder(client)
                .database(database)
                .collection(collection)
                .namespace(namespace)
                .maximumDriftPpm(driftPpm)
                .operationBudget(timeout)
                .commandBudget(command)
                .sessionLength(timeout.plusSeconds(30));
    }

    @Override
    public void close() {
        client.close();
    }
}
