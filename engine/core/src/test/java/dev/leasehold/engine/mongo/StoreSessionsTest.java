package dev.leasehold.engine.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.byhand.LogCapture;
import dev.leasehold.engine.store.ClockWrite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is logged of a driver session when there is no server. */
class StoreSessionsTest {

    /** Nothing listens there. */
    private static final ServerAddress NOWHERE = new ServerAddress("127.0.0.1", 1);

    @Test
    void sessionThatCannotBeEndedIsDebugWithNamespaceAndWriter() {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyToClusterSettings(cluster -> cluster
                        .hosts(List.of(NOWHERE))
                        .serverSelectionTimeout(1, TimeUnit.MILLISECONDS))
                .build();
        try (MongoClient client = MongoClients.create(settings);
                LogCapture log = new LogCapture();
                MongoLeaseStore store =
                        new MongoLeaseStore(client, "db", "leases", "billing", TimeUnit.SECONDS.toNanos(1))) {
            store.writeClock(new ClockWrite.Barrier("a#1"));

            assertThat(log.messages(Level.DEBUG)).isNotEmpty().allMatch(
                    line -> line.startsWith("namespace 'billing', writer 'a#1': a driver session could not be ended"));
        }
    }
}
