package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What meets what on its way: acquisitions, renewals, withdrawals, losses and closes that cross. */
class HandleRacesTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one");
    private static final LeaseRequest TERM = ONE.holder("h").term(SteppedLeases.MINUTE);

    private final SteppedLeases a = new SteppedLeases();
    private final List<LeaseLoss> losses = new ArrayList<>();

    @AfterEach
    void nothingIsLeftOver() {
        Thread.interrupted();
        assertThat(a.leaseManager.waiting()).isZero();
    }

    private Lease acquire(LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquire(request);
        lease.onLost(losses::add);
        a.runtime.runDue();
        return lease;
    }

    // ---- the same holder elsewhere ----

    @Test
    void holdersThatAreRefusedInFavourOfThemselvesElsewhereDoNotAskForEver() {
        a.keptByASession("one", "h");
        CompletableFuture<Acquisition> first = a.waits(ONE.holder("h"), Duration.ofSeconds(2));
        CompletableFuture<Acquisition> second = a.waits(ONE.holder("h"), Duration.ofSeconds(2));
        assertThat(a.sent(Request.Acquire.class))
                .as("one for each arrival, one when the stream began")
                .hasSizeLessThan(4);

        a.runtime.runFor(2 * SECOND);
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void nextTenureInTheSameProcessEndsTheOneBeforeThatWasNotNoticedToBeOver() throws InterruptedException {
        Lease former = acquire(ONE);
        a.vacate("one");
        Lease next = a.acquire(ONE.holder("h2"));
        assertThat(former.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        a.runtime.runDue();
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.TAKEN_OVER);
    }

    // ---- renewals ----

    @Test
    @DisplayName("HA-13: a database that hangs keeps no check waiting")
    void checkWhileTheStoreHangs() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.whileUnanswered(() -> {
            a.runtime.runFor(60 * SECOND - 1);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
            a.runtime.runFor(1);
            assertThat(lease.isHeld()).isFalse();
        });
    }

    @Test
    @DisplayName("HA-15: renewals that are never answered: lost at the end of the validity, with the cause")
    void renewalThatIsNeverAnswered() throws InterruptedException {
        acquire(TERM);
        a.whileUnanswered(() -> {
            a.runtime.runFor(60 * SECOND - 1);
            assertThat(losses).isEmpty();
            a.runtime.runFor(1);
        });
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).isNotNull();
        assertThat(measuredRenewals())
                .as("one, for as long as there was something to renew")
                .containsExactly(renewal(OperationOutcome.UNAVAILABLE, false, 40 * SECOND));
    }

    @Test
    @DisplayName("A renewal that is answered long after the operation budget, and in time, renews: nothing is lost")
    void renewalThatIsAnsweredLate() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.store.onWrite(write -> {
            WriteOutcome outcome = write.send();
            a.runtime.runFor(40 * SECOND - 1);
            return outcome;
        });
        a.runtime.runFor(60 * SECOND + 1);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(measuredRenewals()).startsWith(renewal(OperationOutcome.GRANTED, true, 40 * SECOND - 1));
        a.runtime.runFor(300 * SECOND);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("A renewal that is not answered is told of after each operation budget, long before the loss")
    void renewalThatIsNotAnsweredIsToldOf() throws InterruptedException {
        Lease lease = acquire(TERM);
        try (LogCapture log = new LogCapture()) {
            a.whileUnanswered(() -> {
                a.runtime.runFor(20 * SECOND + SteppedLeases.BUDGET - 1);
                assertThat(log.warningsAbout("renewal 1 in a row has failed")).isEmpty();
                a.runtime.runFor(1);
                assertThat(log.warningsAbout("renewal 1 in a row has failed")).hasSize(1);
                a.runtime.runFor(SteppedLeases.BUDGET);
                assertThat(log.warningsAbout("renewal 2 in a row has failed")).hasSize(1);
                assertThat(lease.isHeld()).isTrue();
            });
        }
    }

    private List<OperationEnded> measuredRenewals() {
        return a.meters.operations("extend");
    }

    /** @param decided whether its lease was looked at, before it was sent */
    private static OperationEnded renewal(OperationOutcome outcome, boolean decided, long waitedNanos) {
        return new OperationEnded("extend", "one", outcome, decided ? LeaseStatus.ACTIVE : null, waitedNanos);
    }

    @Test
    @DisplayName("HA-15: a renewal whose commit is not answered within its time counts as unknown")
    void renewalWhoseCommitIsNeverAnswered() throws InterruptedException {
        acquire(TERM);
        a.store.onCommit((transaction, mayCommit) -> {
            assertThat(mayCommit.getAsBoolean()).isTrue();
            a.runtime.runFor(40 * SECOND);
            return ScriptedStore.unknown();
        });
        a.runtime.runFor(20 * SECOND);
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.NOT_RENEWED);
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.UNKNOWN, true, 40 * SECOND));
    }

    @Test
    @DisplayName("A release that is not answered within its time is sent again")
    void releaseThatIsNeverAnswered() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.whileUnanswered(() -> {
            lease.closeAsync();
            a.runtime.runFor(SteppedLeases.BUDGET - 1);
            assertThat(a.sent(Request.Release.class)).hasSize(1);
            a.runtime.runFor(SECOND);
            assertThat(a.sent(Request.Release.class)).hasSize(2);
        });
        a.runtime.runDue();
        assertThat(a.holding("one")).isNull();
        assertThat(a.meters.operations("release"))
                .extracting(OperationEnded::outcome)
                .containsExactly(OperationOutcome.UNAVAILABLE, OperationOutcome.GRANTED);
    }

    @Test
    @DisplayName("A renewal that is not answered when its lease is closed counts as interrupted")
    void closedBeforeARenewalIsCommitting() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.whileUnanswered(() -> {
            a.runtime.runFor(20 * SECOND);
            lease.closeAsync();
            a.runtime.runDue();
            assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.INTERRUPTED, false, 0));
        });
    }

    @Test
    @DisplayName(
            "HA-23: closed while the commit of a renewal is on its way: free afterwards, also when that lands late")
    void closedWhileARenewalIsCommitting() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.store.onWrite(write -> {
            write.send();
            lease.closeAsync();
            a.runtime.runDue();
            return ScriptedStore.unknown();
        });
        a.runtime.runFor(600 * SECOND);

        assertThat(a.holding("one")).isNull();
        assertThat(lease.isHeld()).isFalse();
        assertThat(a.sent(Request.Extend.class)).hasSize(1);
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.INTERRUPTED, true, 0));
        assertThat(losses).isEmpty();
    }

    // ---- closing ----

    @Test
    @DisplayName("HA-21: closed by two threads at once: one release")
    void closedByTwoThreads() throws InterruptedException {
        Lease lease = acquire(ONE);
        a.store.onWrite(write -> {
            // Another thread, while the first waits for this answer.
            lease.closeAsync();
            a.runtime.runDue();
            return write.send();
        });
        lease.close();
        a.runtime.runFor(SECOND);
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        assertThat(a.holding("one")).isNull();
    }

    @Test
    void thousandsOfReleasesAtOnceAllEnd() throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            leases.add(a.acquire("lease " + i));
        }
        List<CompletableFuture<Boolean>> closed = leases.stream()
                .map(lease -> lease.closeAsync().toCompletableFuture())
                .toList();
        assertThat(a.sent(Request.Release.class)).isEmpty();
        a.runtime.runFor(SECOND);
        assertThat(closed).allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
        assertThat(a.sent(Request.Release.class)).hasSize(3000);
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName(
            "HA-34: an acquisition that was asked for just before the engine is closed is told so, and does not wait for ever")
    void closedBeforeAnAcquisitionHasTakenItsPlace() {
        CompletableFuture<Acquisition> asked = a.asks(ONE, SteppedLeases.HOUR);
        a.leaseManager.close(true);
        a.runtime.runDue();
        assertThatThrownBy(() -> asked.getNow(null)).hasCauseInstanceOf(LeaseEngineClosedException.class);
    }

    // ---- withdrawals ----

    @Test
    @DisplayName("HA-26: cancelled before, while and after it is sent, committed and answered: nothing is left behind")
    void cancelledAtEveryStage() {
        for (int stage = 0; stage < 5; stage++) {
            String name = "stage " + stage;
            cancelledAt(stage, name);
            assertThat(a.holding(name)).as(name).isNull();
            assertThat(a.leaseManager.held()).as(name).isZero();
            assertThat(a.leaseManager.waiting()).as(name).isZero();
        }
    }

    private void cancelledAt(int stage, String name) {
        AtomicReference<CompletableFuture<Acquisition>> future = new AtomicReference<>();
        Runnable cancel = () -> {
            future.get().cancel(false);
            a.runtime.runDue();
        };
        a.store.onRead(() -> runAt(stage == 1, cancel));
        a.store.onWrite(write -> {
            runAt(stage == 2, cancel);
            WriteOutcome outcome = write.send();
            runAt(stage == 3, cancel);
            runAt(stage == 4, () -> a.callbacks.execute(cancel));
            return outcome;
        });
        future.set(a.asks(LeaseRequest.of(name), SteppedLeases.HOUR));
        runAt(stage == 0, () -> future.get().cancel(false));
        a.runtime.runFor(2 * SECOND);
        assertThat(future.get()).isCancelled();
        a.store.forgetScripts();
    }

    private static void runAt(boolean stage, Runnable action) {
        if (stage) {
            action.run();
        }
    }

    // ---- waits ----

    @Test
    void waitOfZeroMakesItsAttemptBehindOneThatIsNotAnswered() {
        List<CompletableFuture<Acquisition>> next = new ArrayList<>();
        a.store.onRead(() -> {
            next.add(a.waits(ONE, Duration.ZERO));
            a.runtime.runFor(SteppedLeases.BUDGET);
        });
        CompletableFuture<Acquisition> stuck = a.waits(ONE, Duration.ZERO);
        assertThat(stuck).isCompletedExceptionally();
        assertThat(next.get(0)).isDone();
    }

    @Test
    void longestWaitIsAWait() {
        a.heldByAnother("one", "h2", 60 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, Duration.ofDays(36_500));
        a.runtime.runFor(60 * SECOND);
        assertThat(waiting).isNotDone();
        a.runtime.runFor(1);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void acquireBehindAReleaseWithoutAnAnswerIsAnsweredWhenItsTimeIsOver() throws InterruptedException {
        a.acquire(ONE.holder("h"));
        a.clock.advance(SteppedLeases.SESSION);
        a.whileUnanswered(() -> {
            a.runtime.runDue();
            CompletableFuture<Acquisition> again = a.waits(ONE.holder("h"), Duration.ZERO);
            a.runtime.runFor(SteppedLeases.BUDGET);
            assertThatThrownBy(() -> again.getNow(null)).hasCauseExactlyInstanceOf(LeaseUnavailableException.class);
        });
    }
}
