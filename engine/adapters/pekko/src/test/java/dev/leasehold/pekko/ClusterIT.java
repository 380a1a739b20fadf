package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.junit.jupiter.api.Test;

/** A cluster of two nodes in one process, whose singleton and shards run under the lease. */
@WithReplicaSet
class ClusterIT {

    /**
     * A lease that only its release hands over within the test. Its release needs an answer within the operation's time, and the node that
     * leaves within that of each phase of its shutdown: on a busy machine the defaults, of 5 and 10 s, are too short for that.
     */
    private static final String UNTIL_RELEASED = """
            leasehold.pekko.heartbeat-timeout = 1 h
            leasehold.pekko.lease-operation-timeout = 40 s
            pekko.coordinated-shutdown.default-phase-timeout = 50 s
            pekko.coordinated-shutdown.phases.cluster-sharding-shutdown-region.timeout = 50 s
            pekko.coordinated-shutdown.phases.cluster-exiting.timeout = 50 s
            """;

    @Test
    void nodeThatLeavesHandsOverWithoutWaitingForTheHeartbeatTimeout(TestDatabase database) {
        Records records = new Records(database.database());
        try (ClusterNode a = ClusterNode.start(database.uri(), database.name(), null, UNTIL_RELEASED)) {
            records.awaitMore("gated", Records.singletonLease(), a.address());
            try (ClusterNode b = ClusterNode.start(database.uri(), database.name(), a.address(), UNTIL_RELEASED)) {
                records.awaitAll(b);

                String left = a.address();
                a.leave();

                records.awaitAllBy(b, b.address());
                records.judge();
                assertThat(database.database()
                                .getCollection("leases")
                                .countDocuments(Filters.eq("holder", left.substring(left.indexOf("shop@")))))
                        .as("what the node that left holds yet")
                        .isZero();
            }
        }
    }
}
