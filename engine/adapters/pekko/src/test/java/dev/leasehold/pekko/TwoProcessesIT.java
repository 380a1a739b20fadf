package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A cluster of two processes. The first, which has the singleton and shards, is stopped or killed; the other downs it by the decision
 * of lease-majority, and goes on once the lease is certainly free. It was most likely in the midst of a gated transaction, which keeps
 * others from the lease until the server ends it: hence a shorter limit than the minute that a server has by default.
 */
@WithOwnReplicaSet(nodes = 1, parameters = "transactionLifetimeLimitSeconds=5")
class TwoProcessesIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void whatAFrozenNodeHeldIsTakenOnceAndItsWorkIsRefusedWhenItWakes(TestDatabase database) throws Exception {
        Records records = new Records(database.database());
        try (NodeProcess a = NodeProcess.start(database.uri(), database.name())) {
            records.awaitMore("held", Records.singletonLease(), a.address());
            try (ClusterNode b = ClusterNode.start(database.uri(), database.name(), a.address(), "")) {
                records.awaitAll(b);

                a.freeze();
                records.awaitAllBy(b, b.address());
                a.thaw();

                await().atMost(LIMIT).until(() -> records.count("stopped", Records.singletonLease(), a.address()) > 0);
                records.awaitMore("gated", Records.singletonLease(), b.address());
                records.judge();
                assertThat(records.count("refused", Records.singletonLease(), b.address()))
                        .isZero();
            }
        }
    }

    @Test
    void whatAKilledNodeHeldIsTakenOnce(TestDatabase database) throws IOException {
        Records records = new Records(database.database());
        try (NodeProcess a = NodeProcess.start(database.uri(), database.name())) {
            records.awaitMore("held", Records.singletonLease(), a.address());
            try (ClusterNode b = ClusterNode.start(database.uri(), database.name(), a.address(), "")) {
                records.awaitAll(b);

                a.kill();

                records.awaitAllBy(b, b.address());
                records.judge();
            }
        }
    }
}
