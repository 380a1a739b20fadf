package dev.leasehold.mergequeue.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.store.ProviderStore;
import dev.leasehold.mergequeue.store.ServiceClient;
import dev.leasehold.mergequeue.store.StateMovedException;
import dev.leasehold.mergequeue.store.StoredState;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Writes whose transaction stays open. By itself the server ends it after a minute at the earliest. */
@WithReplicaSet
class LeftWritesIT {

    private static final ProviderKey KEY = new ProviderKey("acme", "shop", "main");
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final Duration SESSION = Duration.ofSeconds(3);

    private static LeaseEngine engine(MongoClient client, TestDatabase database) {
        return LeaseEngine.builder(client)
                .database(database.name())
                .namespace("merge-queue")
                .sessionLength(SESSION)
                .closeBudget(Duration.ofMillis(100))
                .build();
    }

    @Test
    @DisplayName(
            "A write that a replica left open when it was killed or frozen does not keep another one from taking over")
    void aDeadReplicasWriteBlocksNothing(TestDatabase database) throws Exception {
        Configuration configuration =
                new ConfigurationReader(Map.of()).read("providers: [{owner: acme, repo: shop, base-ref: main}]");
        ServiceMetrics metrics = new ServiceMetrics(configuration);
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(database.uri()))
                .build();
        try (MongoClient dead = ServiceClient.open(settings);
                ClientSession write = dead.startSession()) {
            try (LeaseEngine engineOfDead = engine(dead, database)) {
                Lease lease = engineOfDead.acquire(LeaseRequest.of(KEY.id()).waitAtMost(LIMIT));
                write.startTransaction();
                lease.assertion().check(write);
                // Cannot give the lease back, and then sends no more heartbeats.
            }

            try (Replica replica = new Replica(
                    database.newClient(),
                    new ReplicaSettings(database.name(), URI.create("http://127.0.0.1:1"), SESSION),
                    1,
                    metrics,
                    LeaseMeters.to(metrics.registry()),
                    System::nanoTime)) {
                replica.stand(
                        KEY, configuration.settings("acme", "shop", "main").orElseThrow());

                await().atMost(LIMIT).until(() -> replica.owners().containsKey(KEY.id()));
            }
        }
    }

    @Test
    @DisplayName("A transaction of another application stays open, for however long it has been idle")
    void otherTransactionsAreNotTouched(TestDatabase database) throws Exception {
        ProviderStore store = new ProviderStore(database.newClient(), database.name());
        try (ClientSession other = database.client().startSession()) {
            other.startTransaction();
            database.database()
                    .getCollection("providers")
                    .updateOne(other, Filters.eq("_id", "a"), Updates.set("b", 1));
            await().during(Duration.ofSeconds(11)).atMost(LIMIT).until(() -> store.endLeftWrites() >= 0);
            other.commitTransaction();
        }
    }

    @Test
    @DisplayName("A write whose abort was lost is ended all the same, though its session was closed at once")
    void aLostAbortBlocksNothing(TestDatabase database) throws Exception {
        MongoClient client = database.newClient();
        ProviderStore store = new ProviderStore(client, database.name());
        try (LeaseEngine engine = engine(client, database)) {
            Lease lease = engine.acquire(LeaseRequest.of(KEY.id()).waitAtMost(LIMIT));
            StoredState first = store.write(lease, KEY.id(), StoredState.NONE, QueueState.EMPTY);
            database.activate(FailPoint.failCommands("abortTransaction")
                    .closingConnection()
                    .times(2)
                    .forAppName(database.name()));

            assertThat(first.version()).isEqualTo(1);
            assertThatThrownBy(() -> store.write(lease, KEY.id(), StoredState.NONE, QueueState.EMPTY))
                    .isInstanceOf(StateMovedException.class);

            assertThat(database.database()
                            .getCollection("leases")
                            .withTimeout(40, TimeUnit.SECONDS)
                            .updateOne(Filters.eq("_id", lease.tenure().leaseId()), Updates.inc("gates", 1L))
                            .getMatchedCount())
                    .isEqualTo(1);
        }
    }
}
