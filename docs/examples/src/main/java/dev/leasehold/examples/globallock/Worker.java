package dev.leasehold.examples.globallock;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.examples.story.Speaker;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Instant;

/** One worker of the story, with its own engine, as if in its own process. */
final class Worker implements Speaker, AutoCloseable {

    static final String NAMESPACE = "locks";
    static final String LOCK = "report";

    private final String name;
    private final LeaseEngine engine;
    private final GlobalLock lock;

    Worker(String name, TestDatabase database) {
        this.name = name;
        MongoClient client = database.newClient();
        this.engine = LeaseEngine.builder(client)
                .database(database.name())
                .namespace(NAMESPACE)
                .instance(name)
                .build();
        this.lock = new GlobalLock(engine, LOCK, name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    GlobalLock lock() {
        return lock;
    }

    @Override
    public void close() {
        engine.close();
    }
}
