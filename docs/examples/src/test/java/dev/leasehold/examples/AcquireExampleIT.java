package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class AcquireExampleIT {

    private final TestDatabase database;
    private final LeaseEngine engine;
    private final LeaseEngine another;
    private final List<Long> reported = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    AcquireExampleIT(TestDatabase database) {
        this.database = database;
        engine = ExampleEngine.start(database);
        another = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngines() {
        engine.close();
        another.close();
    }

    @Test
    void aFreeLeaseIsAcquiredAtOnceAndGivenUpAfterwards() throws InterruptedException {
        assertThat(AcquireExample.atOnce(engine, this::report)).isEqualTo("done under token 1");

        assertThat(reported).containsExactly(1L);
        assertThat(state()).isInstanceOf(LeaseState.Vacant.class);
    }

    @Test
    void aHeldLeaseIsRefusedWithItsHolder() throws InterruptedException {
        try (Lease held = another.acquire(LeaseRequest.of("report").holder("clerk-2"), Duration.ZERO)) {
            assertThat(AcquireExample.atOnce(engine, this::report))
                    .startsWith("not now: ")
                    .contains("held by '" + held.holder() + "'");
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void whoWaitsShowsWhatFor() throws InterruptedException {
        AcquireExample.waiting(engine, lease -> {
            report(lease);
            assertThat(lease.comment()).isEqualTo("the weekly report");
        });

        assertThat(reported).containsExactly(1L);
    }

    @Test
    void whoWaitsWithoutAThreadGetsTheLeaseWhenItIsGivenUp() throws InterruptedException {
        Lease held = another.acquire("report", Duration.ZERO);
        CompletableFuture<Void> waiting =
                AcquireExample.withoutAThread(engine, this::report).toCompletableFuture();
        assertThat(waiting).isNotDone();

        held.close();
        waiting.join();

        assertThat(reported).containsExactly(2L);
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

    @Test
    void aLeaseWithATermHasAnExpiryOfItsOwn() throws InterruptedException {
        try (Lease lease = engine.acquire(AcquireExample.withATerm(), Duration.ZERO)) {
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(60));
            assertThat(state())
                    .isInstanceOfSatisfying(
                            LeaseState.Held.class,
                            held -> assertThat(held.session()).isFalse());
        }
    }

    @Test
    void aShorterSessionIsABeliefForThatLong() throws InterruptedException {
        try (LeaseEngine tuned = AcquireExample.tuned(database.newClient(), database.name());
                Lease lease = tuned.acquire("report", Duration.ZERO)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(18));
        }
    }

    private void report(Lease lease) {
        assertThat(lease.isHeld()).isTrue();
        reported.add(lease.token());
    }

    private LeaseState state() throws InterruptedException {
        return ExampleEngine.stateOf(another, "report");
    }
}
