package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.junit.jupiter.api.Test;

/** MongoDB loses its primary under a cluster of two nodes. */
@WithOwnReplicaSet(nodes = 3)
class FailoverIT {

    @Test
    void theSingletonGoesOnUnderItsTenure(TestDatabase database) {
        Records records = new Records(database.database());
        // Longer than the slowest election of a busy machine.
        String patient =
                "leasehold.pekko { heartbeat-timeout = 60 s, heartbeat-interval = 1 s, lease-operation-timeout = 10 s }\n"
                        + "shards.heartbeat-timeout = 60 s";
        String uri = database.uri() + "&serverSelectionTimeoutMS=3000";
        try (ClusterNode a = ClusterNode.start(uri, database.name(), null, patient)) {
            records.awaitMore("gated", Records.singletonLease(), a.address());
            try (ClusterNode b = ClusterNode.start(uri, database.name(), a.address(), patient)) {
                records.awaitAll(b);

                database.set().primary().kill();
                database.set().primary();

                for (int i = 0; i < 3; i++) {
                    records.awaitMore("gated", Records.singletonLease(), a.address());
                    records.awaitMore("held", Records.singletonLease(), a.address());
                }
                records.judge();
                assertThat(records.count("gated", Records.singletonLease(), b.address()))
                        .isZero();
                assertThat(records.count("stopped", Records.singletonLease(), a.address()))
                        .isZero();
            }
        }
    }
}
