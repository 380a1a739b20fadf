package dev.leasehold.mergequeue.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What replicas that were killed leave behind. */
@WithReplicaSet
class HousekeepingOfReplicasIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String DEAD = "dead-writer";

    @Test
    @DisplayName("The entry of a replica that was killed is removed from the clock document")
    void entryOfKilledReplicaIsRemoved(TestDatabase database) {
        Configuration configuration =
                new ConfigurationReader(Map.of()).read("providers: [{owner: acme, repo: shop, base-ref: main}]");
        ServiceMetrics metrics = new ServiceMetrics(configuration);
        ReplicaSettings settings =
                new ReplicaSettings(database.name(), URI.create("http://127.0.0.1:1"), Duration.ofSeconds(3));
        try (Replica replica = new Replica(
                database.newClient(), settings, 1, metrics, LeaseMeters.to(metrics.registry()), System::nanoTime)) {
            replica.stand(
                    new ProviderKey("acme", "shop", "main"),
                    configuration.settings("acme", "shop", "main").orElseThrow());
            await().atMost(LIMIT).until(() -> !writers(database).isEmpty());
            BsonDocument own = writers(database);
            // As the entry of a replica with the same session length, which writes no more.
            database.database()
                    .getCollection("leases", BsonDocument.class)
                    .updateOne(
                            Filters.eq("_id", "merge-queue"),
                            Updates.set("writers." + DEAD, own.get(own.getFirstKey())));
            assertThat(writers(database)).containsKey(DEAD);

            await().atMost(LIMIT).untilAsserted(() -> {
                replica.housekeep();
                assertThat(writers(database)).doesNotContainKey(DEAD).isNotEmpty();
            });
        }
    }

    private static BsonDocument writers(TestDatabase database) {
        BsonDocument clock = database.database()
                .getCollection("leases", BsonDocument.class)
                .find(Filters.eq("_id", "merge-queue"))
                .first();
        return clock == null || !clock.isDocument("writers") ? new BsonDocument() : clock.getDocument("writers");
    }
}
