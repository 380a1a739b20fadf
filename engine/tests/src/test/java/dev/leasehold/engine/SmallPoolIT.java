package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An application whose client has one connection alone: nothing that waits keeps it. */
@WithReplicaSet
class SmallPoolIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    @DisplayName(
            "Leases are acquired, asserted, waited for and handed over on a single connection, and work is done once")
    void oneConnectionIsEnough(TestDatabase database) throws Exception {
        MongoClient client =
                database.newClient(settings -> settings.applyToConnectionPoolSettings(pool -> pool.maxSize(1)));
        MongoCollection<Document> orders = client.getDatabase(database.name()).getCollection("orders");
        orders.insertOne(new Document("_id", 1));
        try (LeaseEngine engine = LeaseEngine.builder(client)
                .database(database.name())
                .namespace("shop")
                .build()) {
            Lease first = engine.tryAcquire("orders").orElseThrow();
            CompletableFuture<Acquisition> waiting = engine.tryAcquireAsync(
                            LeaseRequest.of("orders").waitAtMost(PATIENCE))
                    .toCompletableFuture();
            try (ClientSession session = client.startSession()) {
                first.inTransaction(session, inside -> orders.insertOne(inside, new Document("_id", 2)));
            }
            first.close();
            waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).orElseThrow().close();

            RunOnceResult<?> once = engine.runOnce(
                    "orders", "tonight", (lease, session) -> orders.insertOne(session, new Document("_id", 3)));

            assertThat(once).isInstanceOf(RunOnceResult.Ran.class);
            assertThat(orders.countDocuments()).isEqualTo(3);
        }
    }
}
