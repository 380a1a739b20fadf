package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class WhileHeldExampleIT {

    private final LeaseEngine engine;
    private final LeaseEngine another;

    WhileHeldExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
        another = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngines() {
        engine.close();
        another.close();
    }

    @Test
    void theTaskRunsUnderAFreeLeaseWhichIsGivenUpAfterwards() throws InterruptedException {
        assertThat(WhileHeldExample.clean(engine, mayGoOn -> mayGoOn.getAsBoolean() ? 7 : 0))
                .isEqualTo("7 removed");

        assertThat(ExampleEngine.stateOf(engine, "clean-up")).isInstanceOf(LeaseState.Vacant.class);
    }

    @Test
    void theTaskIsSkippedWhileAnotherHasTheLease() throws InterruptedException {
        try (Lease held = another.tryAcquire("clean-up").orElseThrow()) {
            assertThat(WhileHeldExample.clean(engine, mayGoOn -> 7)).isEqualTo("another process is at it");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void aTaskDuringWhichTheLeaseIsLostIsSaidToBe() throws InterruptedException {
        String outcome = WhileHeldExample.clean(engine, mayGoOn -> {
            engine.close();
            return mayGoOn.getAsBoolean() ? 7 : 3;
        });

        assertThat(outcome).isEqualTo("3 removed, and the lease was lost meanwhile");
    }
}
