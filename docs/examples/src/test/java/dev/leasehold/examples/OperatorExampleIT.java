package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class OperatorExampleIT {

    private final LeaseEngine service;
    private final LeaseEngine administration;

    OperatorExampleIT(TestDatabase database) {
        service = ExampleEngine.start(database);
        administration = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngines() {
        service.close();
        administration.close();
    }

    @Test
    void forcedExpiryFreesTheLeaseSaysWhyAndTellsTheHolder() throws InterruptedException {
        Lease invoices = service.tryAcquire("invoices").orElseThrow();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        invoices.onLost(loss -> lost.complete(null));

        assertThat(OperatorExample.forceExpire(administration).isGranted()).isTrue();

        assertThat(ExampleEngine.stateOf(administration, "invoices"))
                .isInstanceOfSatisfying(LeaseState.Vacant.class, vacant -> {
                    assertThat(vacant.comment()).isEqualTo("hangs, ticket 4711");
                    assertThat(vacant.token()).isEqualTo(invoices.token() + 1);
                });
        assertThat(administration.tryAcquire("invoices").asOptional()).isPresent();
        lost.join();
        assertThat(invoices.isHeld()).isFalse();
    }

    @Test
    void forcedExpiryOfALeaseThatNoEngineHoldsIsRefused() throws InterruptedException {
        service.tryAcquire("invoices").orElseThrow().close();

        assertThat(OperatorExample.forceExpire(administration).isGranted()).isFalse();
    }

    @Test
    void noEngineTakesALeaseThatIsPinned() throws InterruptedException {
        service.tryAcquire("report").orElseThrow().close();
        List<Acquisition> during = new ArrayList<>();

        OperatorExample.maintenance(administration, () -> during.add(tryAcquire()));

        assertThat(during)
                .singleElement()
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.PINNED));
        assertThat(tryAcquire().asOptional()).isPresent();
    }

    private Acquisition tryAcquire() {
        try {
            return service.tryAcquire("report");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
