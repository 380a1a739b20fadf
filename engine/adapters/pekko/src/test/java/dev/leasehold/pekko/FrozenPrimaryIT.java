package dev.leasehold.pekko;

import static dev.leasehold.pekko.Systems.answer;
import static dev.leasehold.pekko.Systems.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import org.apache.pekko.actor.ActorSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The primary of MongoDB stands still: it refuses nothing, and answers nothing. */
@WithOwnReplicaSet(nodes = 3)
class FrozenPrimaryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String OWNER = "shop@a:7355";

    private static boolean isAcquired(LeaseholdLease lease) {
        return lease.acquire()
                .handle((acquired, failure) -> failure == null && acquired)
                .toCompletableFuture()
                .join();
    }

    @Test
    void anEngineWithAClientOfItsOwnGoesOnWithTheNextPrimary(TestDatabase database) {
        try (Systems systems = new Systems()) {
            ActorSystem system = systems.start(
                    database, "leasehold.pekko { heartbeat-timeout = 12 s, lease-operation-timeout = 5 s }");
            LeaseholdLease before = lease(system, "before", OWNER);
            assertThat(answer(before.acquire())).isTrue();
            Node frozen = database.set().primary();
            frozen.pause();
            try {
                LeaseholdLease behind = lease(system, "behind", OWNER);
                Awaitility.await().atMost(PATIENCE).until(() -> isAcquired(behind));
            } finally {
                frozen.resume();
            }
        }
    }
}
