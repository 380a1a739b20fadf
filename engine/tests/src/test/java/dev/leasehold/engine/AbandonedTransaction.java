package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** A transaction of an engine that stays open for good: its client was closed in the middle of a claim of "left". */
final class AbandonedTransaction {

    private AbandonedTransaction() {}

    /** Leaves one, by an engine on a client that is made so. */
    static void leave(
            TestDatabase database,
            String instance,
            Function<Consumer<MongoClientSettings.Builder>, MongoClient> newClient) {
        Hooks hooks = new Hooks();
        MongoClient client = newClient.apply(settings -> settings.addCommandListener(hooks));
        try (LeaseEngine engine =
                Engines.start(Engines.onTheSystemsClock(client, database, instance, Duration.ofSeconds(2)))) {
            hooks.once(Hooks.Point.AFTER_UPDATE, client::close);
            assertThatThrownBy(() -> engine.tenures().claim("left", "h", Duration.ofMinutes(1)))
                    .isInstanceOf(LeaseException.class);
        }
        hooks.verify();
    }
}
