package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a handle believes, how it is renewed, how it is lost, and how it is closed. */
class LossTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final LeaseRequest TERM = LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE);

    private final FakeLeaseManager hand = new FakeLeaseManager();
    private final List<LeaseLoss> losses = new ArrayList<>();
    private LogCapture log;

    @BeforeEach
    void captureLog() {
        log = new LogCapture();
    }

    @AfterEach
    void releaseLog() {
        log.close();
        Thread.interrupted();
    }

    private Lease acquire(LeaseRequest request) throws InterruptedException {
        Lease lease = hand.acquire(request);
        lease.onLost(losses::add);
        hand.runtime.runDue();
        return lease;
    }

    private List<Reason> reasons() {
        hand.runtime.runDue();
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    /** No renewal gets through any more. */
    private void databaseGoes() {
        for (int i = 0; i < 1000; i++) {
            hand.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
    }

    @Test
    @DisplayName("HA-10: held until the belief ends, and not at that instant any more")
    void beliefEndsOnTime() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));

        hand.clock.advance(30 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        hand.clock.advance(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: monotonic time stands still and time of day goes on: lost by a clock anomaly, noticed by itself")
    void suspendedMachineLoses() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.clock.stepWall(30 * SECOND);
        hand.runtime.runFor(SECOND / 2);

        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-11: whoever asks and is told of the end has it told to the others at once, each time")
    void endThatIsSeenIsToldAtOnceEachTime() throws InterruptedException {
        for (String name : List.of("one", "two")) {
            Lease lease = acquire(LeaseRequest.of(name));
            hand.clock.stepWall(30 * SECOND);

            assertThat(lease.isHeld()).isFalse();
            hand.runtime.runDue();
            assertThat(losses)
                    .last()
                    .satisfies(loss -> assertThat(loss.tenure()).isEqualTo(lease.tenure()));
        }
    }

    @Test
    @DisplayName(
            "HA-11: time of day that is ahead by no more than clocks may differ ends the belief, and is no anomaly")
    void clocksWithinTheBoundAreNoAnomaly() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.clock.stepWall(SECOND / 20);
        hand.clock.advance(30 * SECOND - SECOND / 20);
        hand.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: a caller has extended the tenure for longer than the handle was asked for, and clocks may differ by more at the end of that")
    void clocksMayDifferByMoreWhereACallerHasExtended() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.operations.extended(lease.tenure(), 1200 * SECOND);
        hand.clock.stepWall(2 * SECOND);
        hand.clock.advance(1198 * SECOND);
        hand.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: time of day that is shown in milliseconds is up to one behind when a short term begins, and that is no anomaly")
    void timeOfDayInMillisecondsIsNoAnomaly() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.clock.advance(SECOND / 1000 - 1 - hand.clock.wallNanos() % (SECOND / 1000));
        hand.clock.showWallIn(SECOND / 1000);
        hand.operations.extended(lease.tenure(), SECOND * 4 / 10);
        hand.clock.advance(SECOND * 4 / 10 - SECOND / 1000 + 1);
        hand.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName("HA-11: time of day that stands still just before the end is not asked without a pause")
    void standingTimeOfDayIsNotAskedWithoutAPause() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.clock.showWallIn(SECOND / 1000);
        hand.clock.stepWall(29 * SECOND + SECOND / 2);
        hand.runtime.runFor(SECOND / 2);
        assertThat(lease.remaining()).isBetween(Duration.ofNanos(1), Duration.ofNanos(10));
        int instants = hand.runtime.instants();

        hand.runtime.runFor(SECOND / 1000);

        assertThat(hand.runtime.instants() - instants).isLessThan(20);
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
    }

    @Test
    @DisplayName("HA-12: time of day going back prolongs nothing")
    void wallGoingBackProlongsNothing() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.clock.stepWall(-3600 * SECOND);
        hand.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void onceFalseNeverTrueAgain() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        hand.operations.heartbeat();
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName("Never again 8, HA-14: a renewal that fails once is tried again, and nothing is lost")
    void failedRenewalIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.operations.script(operation -> OperationEnds.fail(operation, new LeaseUnavailableException("once", null)));

        hand.runtime.runFor(600 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(hand.operations.sent(Request.Extend.class)).hasSizeBetween(30, 31);
    }

    @Test
    @DisplayName(
            "HA-14: the shorter the time that is left, the sooner the next try, so that it does not pass without one")
    void failedRenewalIsTriedUntilTheEnd() throws InterruptedException {
        acquire(TERM);
        databaseGoes();

        hand.runtime.runFor(59 * SECOND);
        int tries = hand.operations.sent(Request.Extend.class).size();
        hand.runtime.runFor(SECOND - 1);

        assertThat(hand.operations.sent(Request.Extend.class))
                .as("tries of the last second")
                .hasSizeGreaterThan(tries + 3);
    }

    @Test
    @DisplayName("HA-15: a renewal that is refused says that the tenure is over")
    void refusedRenewalLoses() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.runtime.runFor(10 * SECOND);
        hand.operations.heldByAnother("one", "h2", null);

        hand.runtime.runFor(10 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        hand.runtime.runFor(1);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-15: renewals that fail until the end: lost at that instant, once, with the cause")
    void renewalsThatFailLose() throws InterruptedException {
        Lease lease = acquire(TERM);
        databaseGoes();

        hand.runtime.runFor(60 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        hand.runtime.runFor(1);

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).hasMessage("no database");
        assertThat(log.warningsAbout(": lost: "))
                .singleElement()
                .asString()
                .startsWith("namespace 'billing', lease 'one', holder 'h', token 1: lost: ")
                .endsWith(": no database");
        assertThat(log.lines())
                .as("no stack trace for each lease of many")
                .noneMatch(line -> line.getThrowableProxy() != null);
    }

    @Test
    @DisplayName("HA-15: a session that cannot be renewed: the cause is what went wrong with its heartbeat")
    void sessionThatCannotBeRenewedLoses() throws InterruptedException {
        acquire(LeaseRequest.of("one"));
        LeaseStoreException cause = new LeaseStoreException("heartbeat", null);
        hand.operations.heartbeatFailure(cause);
        hand.runtime.runFor(30 * SECOND);

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).isSameAs(cause);
    }

    @Test
    @DisplayName("Never again 8, HA-16: an unexpected failure of a renewal is logged, and the schedule goes on")
    void unexpectedFailureOfARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.operations.script(
                operation -> operation.answer().completeExceptionally(new IllegalStateException("scripted")));
        hand.runtime.runFor(300 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(log.lines())
                .filteredOn(line -> line.getFormattedMessage().contains("renewal 1 in a row has failed"))
                .singleElement()
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }

    @Test
    @DisplayName("UO-7, UO-10: a renewal of unknown outcome is no loss, and is made again")
    void unknownRenewalIsNoLoss() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.operations.script(OperationEnds::leaveUnknown);
        hand.runtime.runFor(120 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-17: a renewal that finds another tenure: taken over")
    void refusedRenewalIsTakenOver() throws InterruptedException {
        acquire(TERM);
        hand.operations.heldByAnother("one", "h2", null);
        hand.runtime.runFor(20 * SECOND);
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(hand.operations.sent(Request.Release.class)).isEmpty();
    }

    @Test
    @DisplayName("HA-17: a change that does not show how the lease stands leads to a look, and to the loss")
    void changeOfAHeldLeaseIsLookedInto() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h"));
        Lease other = hand.acquire(LeaseRequest.of("two"));
        hand.runtime.runFor(2 * SECOND);
        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.changes.tell(new LeaseChange.Freed("two"));
        hand.runtime.runFor(SECOND / 10);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    @DisplayName(
            "HA-17: a look that has failed is repeated, until it is known whether the lease was lost, and no longer")
    void suspicionLastsUntilALookHasShownTheLease() throws InterruptedException {
        Lease lost = acquireWatched();
        Lease other = hand.acquire(LeaseRequest.of("two"));
        hand.operations.vacate("one");
        hand.operations.failLooks(3);
        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.changes.tell(new LeaseChange.Freed("two"));

        hand.runtime.runFor(2 * SECOND);
        assertThat(lost.isHeld()).isTrue();
        hand.runtime.runFor(2 * SECOND);
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
        hand.runtime.runFor(FakeLeaseManager.HOUR.toNanos());
        assertThat(hand.operations.looks()).hasSize(4);
    }

    @Test
    @DisplayName("HA-17: a change that shows the next tenure is a loss at once, without a look")
    void changeThatShowsTheEndIsALossAtOnce() throws InterruptedException {
        Lease lease = acquireWatched();
        hand.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() + 1)));
        hand.runtime.runFor(SECOND / 100);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(hand.operations.looks()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: an end that is told before the acquisition is answered is a loss right after it, since it is not told again")
    void endThatIsToldBeforeTheAnswerIsALossRightAfterIt() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(
                new LeaseChange.Freed("one", document(null, 1)), new LeaseChange.Taken("one", document("x", 2))));

        assertThat(one.join().orElseThrow().isHeld()).isFalse();
        assertThat(hand.operations.looks()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: a change that is told before the acquisition is answered, and does not show the lease, leads to a look")
    void changeThatIsToldBeforeTheAnswerIsLookedInto() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(new LeaseChange.Taken("one")));
        Lease lease = one.join().orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        hand.operations.vacate("one");
        hand.runtime.runFor(SECOND / 10);

        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whatWasToldBeforeTheAnswerAndShowsTheTenureIsNotLookedInto() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(new LeaseChange.Taken("one", document("h", 1))));
        hand.runtime.runFor(SECOND);

        assertThat(one.join().orElseThrow().isHeld()).isTrue();
        assertThat(hand.operations.looks()).isEmpty();
    }

    /** An acquisition of the lease that changed while the answer was on its way. */
    private CompletableFuture<Acquisition> answeredAfter(List<LeaseChange> changes) throws InterruptedException {
        hand.acquire("two");
        hand.runtime.runFor(2 * SECOND);
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(open::set);
        CompletableFuture<Acquisition> one = hand.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        hand.operations.looks().clear();
        changes.forEach(hand.changes::tell);
        hand.runtime.runFor(SECOND / 100);
        hand.operations.answer(open.get());
        hand.runtime.runDue();
        return one;
    }

    @Test
    void changeThatShowsTheLeaseVacantUnderTheTokenIsALossAtOnce() throws InterruptedException {
        Lease lease = acquireWatched();
        hand.changes.tell(new LeaseChange.Freed("one", document(null, lease.token())));
        hand.runtime.runFor(SECOND / 100);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    @Test
    void changeThatShowsTheTenureItselfOrOneBeforeItIsNotLookedInto() throws InterruptedException {
        Lease lease = acquireWatched();
        hand.changes.tell(new LeaseChange.Taken("one", document("h", lease.token())));
        hand.changes.tell(new LeaseChange.Freed("one", document(null, lease.token() - 1)));
        hand.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() - 1)));
        hand.runtime.runFor(SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(hand.operations.looks()).isEmpty();
    }

    /** For as long as makes it worth watching. */
    private Lease acquireWatched() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        hand.runtime.runFor(2 * SECOND);
        hand.operations.looks().clear();
        return lease;
    }

    private static LeaseDocument document(@Nullable String holder, long token) {
        return new LeaseDocument(
                FakeOperations.NAMESPACE, "one", holder, token, "b-1", 1, null, 0, null, Instant.EPOCH, Set.of());
    }

    @Test
    void withoutAWatchHeldLeasesAreLookedAtNowAndThen() throws InterruptedException {
        hand.changes.fail(new LeaseStoreException("not allowed", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.operations.vacate("one");
        hand.runtime.runFor(31 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO)).anyMatch(line -> line.contains("does not let this engine watch"));
    }

    @Test
    void whileTheWatchKeepsFailingHeldLeasesAreLookedAtNowAndThen() throws InterruptedException {
        hand.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.operations.vacate("one");
        hand.runtime.runFor(35 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    @Test
    void watchThatKeepsFailingIsToldOnceAndAgainWhenItWorks() throws InterruptedException {
        hand.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.runtime.runFor(5 * SECOND);
        assertThat(log.messages(Level.INFO)).as("a fail-over").isEmpty();
        hand.runtime.runFor(10 * FakeLeaseManager.MINUTE.toNanos());
        assertThat(log.messages(Level.INFO)).singleElement().asString().contains("watching for changes has failed");

        hand.changes.failNoMore();
        hand.runtime.runFor(FakeLeaseManager.MINUTE.toNanos());

        assertThat(log.messages(Level.INFO))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("watch for changes now");
    }

    @Test
    void watchThatBeginsAndNeverTellsIsBegunAgainLessAndLessOften() throws InterruptedException {
        hand.changes.failAlwaysOnceBegun(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.runtime.runFor(FakeLeaseManager.HOUR.toNanos() / 10);

        assertThat(hand.changes.opened()).isLessThan(200);
        assertThat(log.messages(Level.INFO)).hasSize(1);
    }

    @Test
    void watchThatWasRefusedIsAskedForAgainAndThenTellsAtOnce() throws InterruptedException {
        hand.changes.fail(new LeaseStoreException("not allowed", null));
        hand.changes.fail(new LeaseStoreException("not allowed yet", null));
        Lease lease = acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.runtime.runFor(3 * ChangeWatcher.REFUSED_NANOS);
        hand.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() + 1)));
        hand.runtime.runFor(SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO))
                .filteredOn(line -> line.contains("watch"))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("lets this engine watch");
    }

    @Test
    void watchThatWorksAfterARefusalIsLookedBehindOnceAndNoMore() throws InterruptedException {
        hand.changes.fail(new LeaseStoreException("not allowed", null));
        Lease lease = acquire(TERM.term(FakeLeaseManager.HOUR));
        hand.runtime.runFor(2 * ChangeWatcher.REFUSED_NANOS);
        hand.operations.looks().clear();
        hand.runtime.runFor(FakeLeaseManager.HOUR.toNanos());

        assertThat(lease.isHeld()).isTrue();
        assertThat(hand.operations.looks()).isEmpty();
    }

    @Test
    @DisplayName("HA-17: evicted, as the engine below tells")
    void evicted() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        hand.leaseManager.onLost(lease.tenure(), Reason.EXPIRED);
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-17, HA-34: closing the engine tells the holders, and gives up what has a term")
    void closedEngine() throws InterruptedException {
        Lease lease = acquire(TERM);
        assertThat(hand.leaseManager.close()).isNotDone();
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(hand.operations.holding("one")).isNull();
        lease.close();
    }

    @Test
    @DisplayName(
            "HA-17, HA-34: who looks while the engine is being closed finds no other reason, and nothing is given back one by one")
    void lookedAtWhileTheEngineIsBeingClosed() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.operations.onBeliefsEnded(() -> assertThat(lease.isHeld()).isFalse());
        hand.leaseManager.close();
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(hand.operations.sent(Request.Release.class))
                .as("the session takes it along")
                .isEmpty();
    }

    @Test
    @DisplayName("HA-17: who sees the end before the word of it has come finds its reason")
    void lookedAtWhileTheWordOfTheEndIsOnItsWay() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.operations.cutShort(lease.tenure(), Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        hand.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName(
            "HA-17: who looks while a caller is giving it up by its tenure finds no other reason, and the lease is not left to the session")
    void lookedAtWhileACallerGivesItUp() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.operations.cutShort(lease.tenure(), Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called soon, each once")
    void lateCallbackIsCalledSoon() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        assertThat(losses).as("never on the caller's thread").hasSize(1);
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called also when its handle is closed right after it")
    void lateCallbackOfAHandleThatIsClosedIsCalled() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        hand.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        lease.close();
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-19: a callback that throws is logged, and the others are called")
    void callbackThrows() throws InterruptedException {
        Lease lease = hand.acquire("one");
        lease.onLost(loss -> {
            throw new IllegalStateException("scripted");
        });
        lease.onLost(losses::add);
        hand.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        assertThat(log.warningsAbout("callback")).hasSize(1);
    }

    @Test
    void closedHandleHearsOfNoLoss() throws InterruptedException {
        Lease closed = acquire(LeaseRequest.of("one").holder("h"));
        Lease open = hand.acquire(LeaseRequest.of("one").holder("h"));
        closed.close();
        hand.leaseManager.onLost(open.tenure(), Reason.EVICTED);
        assertThat(reasons()).isEmpty();
    }

    @Test
    @DisplayName("HA-20: a late close leaves the next holder alone, and the lost tenure was given back by itself")
    void lateCloseIsHarmless() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        hand.clock.advance(31 * SECOND);
        hand.operations.heldByAnother("one", "h2", null);
        hand.runtime.runDue();
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);

        lease.close();
        assertThat(hand.operations.holding("one")).isNotNull();
        assertThat(hand.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO))
                .isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName(
            "HA-6: a term that was lost by time is left to run out: it may have been extended elsewhere by its tenure")
    void lostTermIsLeftToRunOut() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(hand.operations.sent(Request.Release.class)).isEmpty();
        assertThat(hand.operations.holding("one")).isEqualTo(lease.tenure());
        assertThat(hand.operations.traces()).isZero();
    }

    @Test
    @DisplayName("HA-21: closed twice: one release")
    void closedTwice() throws InterruptedException {
        Lease lease = acquire(TERM);
        lease.close();
        lease.close();
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-20: closed when its time was over and nobody had noticed: given back all the same")
    void closedWhenItsTimeWasOver() throws InterruptedException {
        Lease late = acquire(TERM);
        hand.clock.stepWall(60 * SECOND);
        late.close();
        assertThat(hand.operations.sent(Request.Release.class)).containsExactly(new Request.Release(late.tenure()));
    }

    @Test
    @DisplayName("HA-22: close returns in its time while the database is silent, and goes on trying")
    void closeIsBounded() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.operations.script(operation -> {});
        long beganNanos = hand.clock.monotonicNanos();
        lease.close();
        assertThat(hand.clock.monotonicNanos() - beganNanos).isEqualTo(5 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-22: a release that fails is tried again until it is settled")
    void failedReleaseIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        for (int i = 0; i < 5; i++) {
            hand.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        lease.close();
        hand.runtime.runFor(60 * SECOND);
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.operations.isGivenUp(lease.tenure()))
                .as("forgotten when it is over")
                .isFalse();
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(6);
    }

    @Test
    @DisplayName("An outage fills no log: the tries of each release are told less and less often")
    void releaseThatGoesOnFailingIsToldLessAndLessOften() throws InterruptedException {
        Lease lease = acquire(TERM);
        failsTimes(200);
        lease.close();
        hand.runtime.runFor(FakeLeaseManager.HOUR.toNanos());

        assertThat(hand.operations.sent(Request.Release.class)).hasSize(201);
        assertThat(log.warningsAbout("to give it up has failed")).hasSize(8);
        assertThat(log.messages(Level.DEBUG))
                .filteredOn(line -> line.contains("to give it up has failed"))
                .hasSize(192);
    }

    @Test
    @DisplayName("The same for the renewals of each term")
    void renewalThatGoesOnFailingIsToldLessAndLessOften() throws InterruptedException {
        acquire(TERM);
        failsTimes(200);
        hand.runtime.runFor(FakeLeaseManager.MINUTE.toNanos());

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(hand.operations.sent(Request.Extend.class)).hasSizeGreaterThan(20);
        assertThat(log.warningsAbout("in a row has failed")).hasSizeLessThan(8);
    }

    private void failsTimes(int times) {
        for (int i = 0; i < times; i++) {
            hand.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
    }

    @Test
    void interruptedCloseKeepsTheFlagAndGivesUp() throws InterruptedException {
        Lease lease = acquire(TERM);
        Thread.currentThread().interrupt();
        lease.close();
        assertThat(Thread.interrupted()).isTrue();
        hand.runtime.runDue();
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-23: close while a renewal is on its way: free afterwards, and nothing is renewed any more")
    void closeDuringARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        hand.clock.advance(20 * SECOND);
        hand.operations.script(operation -> {
            lease.onLost(losses::add);
            hand.operations.answer(operation);
        });
        hand.runtime.runFor(0);
        lease.close();
        hand.runtime.runFor(600 * SECOND);
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.operations.sent(Request.Extend.class)).hasSize(1);
    }

    @Test
    void nullsAreRefused() throws InterruptedException {
        Lease lease = acquire(TERM);
        assertThatThrownBy(() -> lease.onLost(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lease.inTransaction(null, session -> "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("VA-14: the renewal period is below half of the term, and the term above the operation budget")
    void relationsOfDurations() {
        assertThatThrownBy(() -> hand.acquire(TERM.term(Duration.ofSeconds(10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term PT10S is refused")
                .hasMessageContaining("operation budget, which is PT10S");
        assertThatThrownBy(() -> hand.acquire(TERM.term(FakeLeaseManager.MINUTE, Duration.ofSeconds(30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewal period PT30S is refused")
                .hasMessageContaining("PT1M");
        assertThatThrownBy(() -> hand.leaseManager.tryAcquire(TERM, Duration.ofDays(36_501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT876024H is refused");
        assertThatThrownBy(() -> hand.leaseManager.tryAcquire(TERM, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(hand.operations.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-6: what time has ended is given back only if no other engine has kept it; a close asks nobody")
    void onlyACloseGivesBackWhateverOthersDid() throws InterruptedException {
        Lease lost = acquire(LeaseRequest.of("lost"));
        hand.clock.advance(30 * SECOND);
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
        Lease closed = acquire(LeaseRequest.of("closed"));
        closed.close();

        assertThat(hand.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(lost.tenure()), new Request.Release(closed.tenure()));
    }
}
