package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.junit.jupiter.api.Test;

/** A cluster of two nodes in one process, whose singleton and shards run under the lease. */
@WithReplicaSet
class ClusterIT {

    @Test
    void whoLeavesHandsOverWithoutWaitingForTheHeartbeatTimeout(TestDatabase database) {
        Records records = new Records(database.database());
        String anHour = "leasehold.pekko.heartbeat-timeout = 1 h";
        try (ClusterNode a = ClusterNode.start(database.uri(), database.name(), null, anHour)) {
            records.awaitMore("gated", Records.singletonLease(), a.address());
            try (ClusterNode b = ClusterNode.start(database.uri(), database.name(), a.address(), anHour)) {
                records.awaitAll(a);

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
