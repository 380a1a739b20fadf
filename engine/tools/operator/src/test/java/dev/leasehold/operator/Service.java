package dev.leasehold.operator;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;

/** A service with leases, whose session gives signs of life twice a second unless it is quiet. */
final class Service implements AutoCloseable {

    private final LeaseEngine engine;

    Service(MongoClient client, TestDatabase database, String instance, int partitions) {
        this(client, database, Tool.NAMESPACE, instance, partitions);
    }

    Service(MongoClient client, TestDatabase database, String namespace, String instance, int partitions) {
        this(client, database, namespace, instance, partitions, Duration.ofMillis(500));
    }

    private Service(
            MongoClient client,
            TestDatabase database,
            String namespace,
            String instance,
            int partitions,
            Duration heartbeatPeriod) {
        engine = LeaseEngine.builder(client)
                .database(database.name())
                .namespace(namespace)
                .instance(instance)
                .partitions(partitions)
                .operationBudget(Duration.ofSeconds(20))
                .sessionLength(Duration.ofSeconds(30))
                .heartbeatPeriod(heartbeatPeriod)
                .build();
        // As in a namespace that an earlier version has made, so that tests can name tokens.
        documents(database).updateMany(Filters.gt("tokenFloor", 1_000_000_000_000_000L), Updates.set("tokenFloor", 0L));
    }

    static Service on(TestDatabase database, String instance) {
        return new Service(database.newClient(), database, instance, 1);
    }

    /** One that gives no sign of life for ten seconds after it has got a lease: a command sees it once, and cannot see it move. */
    static Service quiet(TestDatabase database, String instance) {
        return new Service(database.newClient(), database, Tool.NAMESPACE, instance, 1, Duration.ofSeconds(10));
    }

    LeaseEngine engine() {
        return engine;
    }

    Lease holds(String name) throws InterruptedException {
        return holds(LeaseRequest.of(name).holder("h"));
    }

    Lease holds(LeaseRequest request) throws InterruptedException {
        return engine.acquire(request.waitAtMost(Duration.ofSeconds(30)));
    }

    /** Until the lease is granted, or this is closed. */
    CompletableFuture<Lease> waitsFor(LeaseRequest request) {
        return engine.acquireAsync(request.waitAtMost(Duration.ofMinutes(10))).toCompletableFuture();
    }

    static MongoCollection<Document> documents(TestDatabase database) {
        return database.database().getCollection("leases");
    }

    @Override
    public void close() {
        engine.close();
    }
}
