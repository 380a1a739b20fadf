package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.RunResult;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class HolderExampleIT {

    @Test
    void theSameOwnerGetsTheSameTenureTwiceAndGivesItUpOnce(TestDatabase database) throws InterruptedException {
        List<LeaseState> during = new ArrayList<>();
        try (LeaseEngine engine = ExampleEngine.start(database)) {
            HolderExample.nested(engine, () -> during.add(stateOf(engine)));

            assertThat(during).singleElement().isInstanceOfSatisfying(LeaseState.Held.class, held -> {
                assertThat(held.tenure().holder()).isEqualTo("import");
            });
            assertThat(stateOf(engine))
                    .isInstanceOfSatisfying(
                            LeaseState.Vacant.class,
                            vacant -> assertThat(vacant.token())
                                    .as("one tenure")
                                    .isEqualTo(((LeaseState.Held) during.get(0))
                                            .tenure()
                                            .token()));
        }
    }

    @Test
    void processThatComesBackUnderItsOwnNameNeedNotWait(TestDatabase database) throws InterruptedException {
        try (LeaseEngine old = ExampleEngine.start(database);
                LeaseEngine engine = ExampleEngine.start(database)) {
            Lease before =
                    old.acquire(LeaseRequest.of("shard-7").holder("node-3").waitAtMost(Duration.ofSeconds(30)));

            Lease lease = HolderExample.comesBack(engine);

            assertThat(lease.token()).isEqualTo(before.token() + 1);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aJobThatEndsInTimeRunsAsWithoutALimit(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = ExampleEngine.start(database)) {
            assertThat(HolderExample.thatMayHang(engine, lease -> 7)).isEqualTo(new RunResult.Ran<>(7, true));
        }
    }

    @Test
    void shortJobRunsOnOneOfTheNodesThatStartIt(TestDatabase database) throws InterruptedException {
        try (LeaseEngine first = ExampleEngine.start(database);
                LeaseEngine second = ExampleEngine.start(database)) {
            assertThat(HolderExample.onASchedule(first, () -> "done").ran()).isTrue();
            assertThat(HolderExample.onASchedule(second, () -> "done").ran()).isFalse();
            assertThat(HolderExample.onASchedule(first, () -> "done").ran()).isFalse();
        }
    }

    private static LeaseState stateOf(LeaseEngine engine) {
        try {
            return ExampleEngine.stateOf(engine, "stock");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
