package dev.leasehold.examples.quickstart;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.time.LocalInstant;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;

/** A service that may write orders while it holds the lease {@value #LEASE}, with a wall clock of its own. */
final class OrderService implements AutoCloseable {

    static final String NAMESPACE = "shop";
    static final String LEASE = "orders";
    static final Duration TERM = Duration.ofSeconds(3);

    private final String name;
    private final Duration skew;
    private final SkewedRuntime runtime;
    private final MongoClient client;
    private final MongoCollection<Document> orders;
    private final LeaseEngine engine;

    OrderService(String name, Duration skew, TestDatabase database) {
        this.name = name;
        this.skew = skew;
        this.runtime = new SkewedRuntime(skew);
        this.client = database.newClient();
        this.orders = StoredDocuments.orders(client, database.name());
        this.engine = SkewedEngine.start(
                client, StoredDocuments.leases(client, database.name()), NAMESPACE, name, runtime);
    }

    String name() {
        return name;
    }

    /** By how much its clock is ahead of this machine's. */
    Duration skew() {
        return skew;
    }

    /** What its own clock shows. */
    Instant now() {
        return LocalInstant.of(runtime.clock().wallNanos());
    }

    LeaseAnswer claim() throws InterruptedException {
        return engine.claim(LEASE, name, TERM);
    }

    LeaseAnswer takeOver() throws InterruptedException {
        return engine.takeOver(LEASE, name, TERM);
    }

    boolean isHeld(Tenure tenure) {
        return engine.isHeld(tenure);
    }

    Duration remaining(Tenure tenure) {
        return engine.remaining(tenure);
    }

    /**
     * Writes an order in a transaction that carries the assertion.
     *
     * @throws LeaseNotHeldException if the tenure does not stand; nothing was written
     */
    void writeGated(Tenure tenure, int number) {
        LeaseAssertion assertion = engine.assertion(tenure);
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                assertion.check(session);
                return orders.insertOne(session, order(tenure, number).append("gated", true));
            });
        }
    }

    /** Writes an order in a transaction that says nothing about the lease. */
    void writeUngated(Tenure tenure, int number) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> orders.insertOne(session, order(tenure, number).append("gated", false)));
        }
    }

    private Document order(Tenure tenure, int number) {
        return new Document("_id", number).append("by", name).append("token", tenure.token());
    }

    /** Closes the engine; the client is closed with the database, and so after it. */
    @Override
    public void close() {
        engine.close();
    }
}
