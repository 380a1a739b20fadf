package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.world.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What meets what on its way: acquisitions, renewals, withdrawals, losses and closes that cross. */
class HandleRacesTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one");
    private static final LeaseRequest TERM = ONE.holder("h").term(FakeLeaseManager.MINUTE);

    private final FakeLeaseManager fake = new FakeLeaseManager();
    private final List<LeaseLoss> losses = new ArrayList<>();

    @AfterEach
    void nothingIsLeftOver() {
        Thread.interrupted();
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    private Lease acquire(LeaseRequest request) throws InterruptedException {
        Lease lease = fake.acquire(request);
        lease.onLost(losses::add);
        fake.runtime.runDue();
        return lease;
    }

    // ---- the same holder elsewhere ----

    @Test
    void holdersThatAreRefusedInFavourOfThemselvesElsewhereDoNotAskForEver() {
        for (int i = 0; i < 4; i++) {
            fake.operations.script(this::refuseForTheSameHolder);
        }
        CompletableFuture<Acquisition> first = fake.waits(ONE.holder("h"), Duration.ofSeconds(2));
        CompletableFuture<Acquisition> second = fake.waits(ONE.holder("h"), Duration.ofSeconds(2));
        assertThat(fake.operations.sent(Request.Acquire.class))
                .as("one for each arrival, one when the stream began")
                .hasSizeLessThan(4);

        fake.runtime.runFor(2 * SECOND);
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    /** As for a lease that another engine's session keeps for a holder of the same name. */
    private void refuseForTheSameHolder(PendingOperation operation) {
        fake.operations.heldByAnother("one", "h", null);
        Request request = operation.request();
        fake.operations
                .poll(Set.of("one"), Long.MAX_VALUE)
                .get(0)
                .thenAccept(poll -> OperationEnds.refuse(
                        operation,
                        new Refusal(
                                request.describe(),
                                Refusal.Reason.HELD,
                                poll.states().get(0))));
    }

    @Test
    void nextTenureInTheSameProcessEndsTheOneBeforeThatWasNotNoticedToBeOver() throws InterruptedException {
        Lease former = acquire(ONE);
        fake.operations.vacate("one");
        Lease next = fake.acquire(ONE.holder("h2"));
        assertThat(former.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        fake.runtime.runDue();
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.TAKEN_OVER);
    }

    // ---- renewals ----

    @Test
    @DisplayName("HA-13: a database that hangs keeps no check waiting")
    void checkWhileTheStoreHangs() throws InterruptedException {
        Lease lease = acquire(TERM);
        List<Boolean> checks = new ArrayList<>();
        fake.operations.neverAnswer();
        fake.operations.script(
                operation -> checks.add(lease.isHeld() && !lease.remaining().isZero()));
        fake.runtime.runFor(20 * SECOND);
        assertThat(checks)
                .as("asked while the engine's thread is inside a call")
                .containsExactly(true);
        assertThat(lease.isHeld()).isTrue();
        fake.runtime.runFor(40 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-16: a renewal that itself throws is logged and made again")
    void renewalThatThrows() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.throwAtSubmit(new IllegalStateException("scripted"));
        fake.runtime.runFor(300 * SECOND);
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        lease.close();
    }

    @Test
    @DisplayName("UO-10: a renewal landed, its reply was lost, and the next one finds the newer write: no loss")
    void lostReplyOfARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(operation -> {
            fake.operations.answerUnheard(operation);
            OperationEnds.leaveUnknown(operation);
        });
        fake.runtime.runFor(300 * SECOND);
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(lease.token()).isEqualTo(1);
    }

    @Test
    @DisplayName("HA-15: renewals that are never answered: lost at the end of the validity, with the cause")
    void renewalThatIsNeverAnswered() throws InterruptedException {
        acquire(TERM);
        fake.operations.neverAnswer();
        fake.runtime.runFor(60 * SECOND - 1);
        assertThat(losses).isEmpty();
        fake.runtime.runFor(1);
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).isNotNull();
        assertThat(measuredRenewals())
                .as("one, for as long as there was something to renew")
                .containsExactly(renewal(OperationOutcome.UNAVAILABLE, 40 * SECOND));
    }

    @Test
    @DisplayName("A renewal that is answered long after the operation budget, and in time, renews: nothing is lost")
    void renewalThatIsAnsweredLate() throws InterruptedException {
        Lease lease = acquire(TERM);
        AtomicReference<PendingOperation> renewal = new AtomicReference<>();
        fake.operations.script(renewal::set);
        fake.runtime.runFor(60 * SECOND - 1);
        fake.operations.answer(renewal.get());
        fake.runtime.runFor(2);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(measuredRenewals()).startsWith(renewal(OperationOutcome.GRANTED, 40 * SECOND - 1));
        fake.runtime.runFor(300 * SECOND);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("A renewal that is not answered is told of after each operation budget, long before the loss")
    void renewalThatIsNotAnsweredIsToldOf() throws InterruptedException {
        Lease lease = acquire(TERM);
        try (LogCapture log = new LogCapture()) {
            fake.operations.neverAnswer();
            fake.runtime.runFor(20 * SECOND + FakeLeaseManager.BUDGET - 1);
            assertThat(log.warningsAbout("renewal 1 in a row has failed")).isEmpty();
            fake.runtime.runFor(1);
            assertThat(log.warningsAbout("renewal 1 in a row has failed")).hasSize(1);
            fake.runtime.runFor(FakeLeaseManager.BUDGET);
            assertThat(log.warningsAbout("renewal 2 in a row has failed")).hasSize(1);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private List<OperationEnded> measuredRenewals() {
        return fake.meters.operations("extend");
    }

    private static OperationEnded renewal(OperationOutcome outcome, long waitedNanos) {
        return new OperationEnded("extend", "one", outcome, null, waitedNanos);
    }

    @Test
    @DisplayName("HA-15: a renewal whose commit is not answered within its time counts as unknown")
    void renewalWhoseCommitIsNeverAnswered() throws InterruptedException {
        acquire(TERM);
        fake.operations.script(OperationEnds::beginCommit);
        fake.operations.neverAnswer();
        fake.runtime.runFor(60 * SECOND);
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.NOT_RENEWED);
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.UNKNOWN, 40 * SECOND));
    }

    @Test
    @DisplayName("A renewal whose commit is not answered by the end of the validity counts as unknown")
    void renewalThatIsStillCommittingAtTheEnd() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h").term(Duration.ofSeconds(12)));
        fake.operations.script(OperationEnds::beginCommit);
        fake.operations.neverAnswer();
        fake.runtime.runFor(12 * SECOND);
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.NOT_RENEWED);
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.UNKNOWN, 8 * SECOND));
    }

    @Test
    @DisplayName("A release that is not answered within its time is sent again")
    void releaseThatIsNeverAnswered() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(operation -> {});
        lease.closeAsync();
        fake.runtime.runFor(FakeLeaseManager.BUDGET - 1);
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);
        fake.runtime.runFor(SECOND);
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(2);
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.meters.operations("release"))
                .extracting(OperationEnded::outcome)
                .containsExactly(OperationOutcome.UNAVAILABLE, OperationOutcome.GRANTED);
    }

    @Test
    @DisplayName("A renewal that is not answered when its lease is closed counts as interrupted")
    void closedBeforeARenewalIsCommitting() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(operation -> {});
        fake.runtime.runFor(20 * SECOND);
        lease.close();
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.INTERRUPTED, 0));
    }

    @Test
    @DisplayName(
            "HA-23: closed while the commit of a renewal is on its way: free afterwards, also when that lands late")
    void closedWhileARenewalIsCommitting() throws InterruptedException {
        Lease lease = acquire(TERM);
        AtomicReference<PendingOperation> renewal = new AtomicReference<>();
        fake.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            renewal.set(operation);
        });
        fake.runtime.runFor(20 * SECOND);
        // What is sent later comes later: the renewal is carried out before the release.
        fake.operations.script(release -> {
            fake.operations.answerUnheard(renewal.get());
            OperationEnds.grant(renewal.get(), lease.tenure());
            fake.operations.answer(release);
        });
        lease.close();
        fake.runtime.runFor(300 * SECOND);

        assertThat(fake.operations.holding("one")).isNull();
        assertThat(lease.isHeld()).isFalse();
        assertThat(fake.operations.sent(Request.Extend.class)).hasSize(1);
        assertThat(measuredRenewals()).containsExactly(renewal(OperationOutcome.INTERRUPTED, 0));
        assertThat(losses).isEmpty();
    }

    // ---- closing ----

    @Test
    @DisplayName("HA-21: closed by two threads at once: one release")
    void closedByTwoThreads() throws InterruptedException {
        Lease lease = acquire(ONE);
        fake.operations.script(operation -> {
            // Another thread, while the first waits for this answer.
            lease.close();
            fake.operations.answer(operation);
        });
        lease.close();
        fake.runtime.runFor(SECOND);
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    void thousandsOfReleasesAtOnceAllEnd() throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            leases.add(fake.acquire("lease " + i));
        }
        List<CompletableFuture<Boolean>> closed = leases.stream()
                .map(lease -> lease.closeAsync().toCompletableFuture())
                .toList();
        assertThat(fake.operations.sent(Request.Release.class)).isEmpty();
        fake.runtime.runDue();
        assertThat(closed).allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(3000);
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-34: thousands of waiters end when the engine is closed")
    void closingWithThousandsOfWaiters() {
        fake.operations.heldByAnother("one", "h2", null);
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            waiting.add(fake.leaseManager
                    .tryAcquireAsync(ONE, FakeLeaseManager.HOUR)
                    .toCompletableFuture());
        }
        fake.runtime.runDue();
        assertThat(fake.leaseManager.waiting()).isEqualTo(3000);
        CompletableFuture<Void> closed = fake.leaseManager.close(true);
        fake.runtime.runDue();
        assertThat(closed).isDone();
        assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    @DisplayName(
            "HA-34: an acquisition that was asked for just before the engine is closed is told so, and does not wait for ever")
    void closedBeforeAnAcquisitionHasTakenItsPlace() {
        CompletableFuture<Acquisition> asked =
                fake.leaseManager.tryAcquireAsync(ONE, FakeLeaseManager.HOUR).toCompletableFuture();
        fake.leaseManager.close(true);
        fake.runtime.runDue();
        assertThat(asked)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseEngineClosedException.class);
    }

    // ---- withdrawals ----

    @Test
    @DisplayName("HA-26: cancelled before, while and after it is sent, committed and answered: nothing is left behind")
    void cancelledAtEveryStage() {
        for (int stage = 0; stage < 5; stage++) {
            cancelledAt(stage);
            assertThat(fake.operations.holding("one")).as("stage " + stage).isNull();
            assertThat(fake.leaseManager.held()).as("stage " + stage).isZero();
            assertThat(fake.leaseManager.waiting()).as("stage " + stage).isZero();
        }
    }

    private void cancelledAt(int stage) {
        AtomicReference<CompletableFuture<Acquisition>> future = new AtomicReference<>();
        Runnable cancel = () -> future.get().cancel(false);
        fake.operations.script(operation -> {
            runAt(stage == 1, cancel);
            if (stage == 2) {
                OperationEnds.beginCommit(operation);
                cancel.run();
                fake.callbacks.execute(
                        () -> fake.operations.landLate(operation, fake.operations.nextTenure(operation)));
            } else {
                fake.operations.answer(operation);
            }
            runAt(stage == 3, cancel);
            runAt(stage == 4, () -> fake.callbacks.execute(cancel));
        });
        future.set(fake.leaseManager.tryAcquireAsync(ONE, FakeLeaseManager.HOUR).toCompletableFuture());
        runAt(stage == 0, cancel);
        fake.runtime.runFor(2 * SECOND);
        assertThat(future.get()).isCancelled();
        fake.operations.dropScripts();
    }

    private static void runAt(boolean stage, Runnable action) {
        if (stage) {
            action.run();
        }
    }

    // ---- waits ----

    @Test
    void waitOfZeroMakesItsAttemptBehindOneThatIsNotAnswered() {
        fake.operations.script(operation -> {});
        CompletableFuture<Acquisition> stuck = fake.waits(ONE, Duration.ZERO);
        CompletableFuture<Acquisition> next = fake.waits(ONE, Duration.ZERO);
        fake.runtime.runFor(FakeLeaseManager.BUDGET);
        assertThat(stuck).isCompletedExceptionally();
        assertThat(next).isDone();
    }

    @Test
    void longestWaitIsAWait() {
        fake.operations.heldByAnother("one", "h2", 60 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, Duration.ofDays(36_500));
        fake.runtime.runFor(60 * SECOND);
        assertThat(waiting).isNotDone();
        fake.runtime.runFor(1);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void acquireBehindAReleaseWithoutAnAnswerIsAnsweredWhenItsTimeIsOver() throws InterruptedException {
        fake.acquire(ONE.holder("h"));
        fake.operations.neverAnswer();
        fake.clock.advance(FakeOperations.SESSION_NANOS);
        fake.runtime.runDue();
        CompletableFuture<Acquisition> again = fake.waits(ONE.holder("h"), Duration.ZERO);
        fake.runtime.runFor(FakeLeaseManager.BUDGET);
        assertThat(again)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseUnavailableException.class)
                .isNotInstanceOf(LeaseOutcomeUnknownException.class);
    }
}
