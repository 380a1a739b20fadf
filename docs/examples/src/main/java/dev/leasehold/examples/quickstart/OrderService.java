package dev.leasehold.examples.quickstart;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.examples.story.Speaker;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;

/** A service that may write orders while it holds the lease {@value #LEASE}, with a wall clock of its own. */
final class OrderService implements Speaker, AutoCloseable {

    static final String NAMESPACE = "shop";
    static final String LEASE = "orders";
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final String name;
    private final Duration skew;
    private final Freeze freeze = new Freeze();
    private final SkewedRuntime runtime;
    private final MongoClient client;
    private final MongoCollection<Document> orders;
    private final LeaseEngine engine;

    OrderService(String name, Duration skew, TestDatabase database) {
        this.name = name;
        this.skew = skew;
        this.runtime = new SkewedRuntime(skew, freeze);
        this.client = database.newClient();
        this.orders = StoredDocuments.orders(client, database.name());
        this.engine =
                SkewedEngine.start(client, StoredDocuments.leases(client, database.name()), NAMESPACE, name, runtime);
    }

    @Override
    public String name() {
        return name;
    }

    /** By how much its clock is ahead of this machine's. */
    Duration skew() {
        return skew;
    }

    @Override
    public Instant now() {
        return LocalInstant.of(runtime.clock().wallNanos());
    }

    /** Stops everything that it does, once. */
    Freeze freeze() {
        return freeze;
    }

    /** Asks for the lease once. */
    Acquisition tryAcquire() throws InterruptedException {
        return engine.tryAcquire(request());
    }

    /** Asks for the lease and waits for it, without a thread. */
    CompletableFuture<Lease> acquire() {
        return engine.acquireAsync(request().waitAtMost(LONGEST_WAIT)).toCompletableFuture();
    }

    private LeaseRequest request() {
        return LeaseRequest.of(LEASE).holder(name);
    }

    /**
     * Writes an order in a transaction that carries the assertion.
     *
     * @throws LeaseNotHeldException if the lease is not held any more; nothing was written
     */
    void writeGated(Lease lease, int number) {
        try (ClientSession session = client.startSession()) {
            lease.inTransaction(
                    session, s -> orders.insertOne(s, order(lease, number).append("gated", true)));
        }
    }

    /** Writes an order in a transaction that says nothing about the lease. */
    void writeUngated(Lease lease, int number) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> orders.insertOne(session, order(lease, number).append("gated", false)));
        }
    }

    private Document order(Lease lease, int number) {
        return new Document("_id", number).append("by", name).append("token", lease.token());
    }

    /** Closes the engine; the client is closed with the database, and so after it. */
    @Override
    public void close() {
        freeze.end();
        engine.close();
    }
}
