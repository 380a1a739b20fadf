package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class AcquireExampleIT {

    private final LeaseEngine engine;
    private final LeaseEngine another;
    private final List<Long> reported = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    AcquireExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
        another = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngines() {
        engine.close();
        another.close();
    }

    @Test
    void aFreeLeaseIsAcquiredAtOnceAndReleasedAfterwards() throws InterruptedException {
        assertThat(AcquireExample.atOnce(engine, this::report)).startsWith("done under token ");

        assertThat(reported).hasSize(1);
        assertThat(state()).isInstanceOf(LeaseState.Vacant.class);
    }

    @Test
    void aHeldLeaseIsRefusedWithItsHolder() throws InterruptedException {
        try (Lease held =
                another.tryAcquire(LeaseRequest.of("report").holder("clerk-2")).orElseThrow()) {
            assertThat(AcquireExample.atOnce(engine, this::report))
                    .startsWith("not now: ")
                    .contains("held by '" + held.holder() + "'");
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void waiterWithoutAThreadGetsTheLeaseWhenItIsReleased() throws InterruptedException {
        Lease held = another.tryAcquire("report").orElseThrow();
        CompletableFuture<Void> waiting =
                AcquireExample.withoutAThread(engine, this::report).toCompletableFuture();
        assertThat(waiting).isNotDone();

        held.close();
        waiting.join();

        assertThat(reported).containsExactly(held.token() + 1);
    }

    @Test
    void aYesIsALeaseThatTheCallerCloses() throws InterruptedException {
        try (Lease lease = AcquireExample.answers(engine, log::add).orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(log).isEmpty();
    }

    @Test
    void aClosedEngineCertainlyAcquiresNothing() throws InterruptedException {
        engine.close();

        assertThat(AcquireExample.answers(engine, log::add)).isEmpty();
        assertThat(log).singleElement().asString().startsWith("certainly not: ");
    }

    private void report(Lease lease) {
        assertThat(lease.isHeld()).isTrue();
        reported.add(lease.token());
    }

    private LeaseState state() throws InterruptedException {
        return ExampleEngine.stateOf(another, "report");
    }
}
