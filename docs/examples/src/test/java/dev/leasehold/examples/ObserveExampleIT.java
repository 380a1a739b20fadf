package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class ObserveExampleIT {

    @Test
    void theAddressOfTheLeaderIsKnownWhileThereIsOne(TestDatabase database) throws InterruptedException {
        AtomicReference<@Nullable String> leader = new AtomicReference<>();
        try (LeaseEngine leading = ExampleEngine.start(database);
                LeaseEngine following = ExampleEngine.start(database);
                LeaseObservation observation = ObserveExample.follow(following, leader)) {
            assertThat(observation.name()).isEqualTo("leader");
            LeaderElection election = ObserveExample.lead(leading, "10.0.0.7:8080");
            await().until(() -> Objects.equals(leader.get(), "10.0.0.7:8080"));
            ObserveExample.move(election.lease().orElseThrow(), "10.0.0.8:8080");
            await().until(() -> Objects.equals(leader.get(), "10.0.0.8:8080"));
            election.close();
            await().until(() -> leader.get() == null);
        }
    }
}
