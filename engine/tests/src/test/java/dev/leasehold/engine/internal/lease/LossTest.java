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
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.watch.ChangeWatcher;
import dev.leasehold.engine.world.LogCapture;
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

/** How long a handle is valid, how it is renewed, how it is lost, and how it is closed. */
class LossTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final LeaseRequest TERM = LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE);

    private final FakeLeaseManager fake = new FakeLeaseManager();
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
        Lease lease = fake.acquire(request);
        lease.onLost(losses::add);
        fake.runtime.runDue();
        return lease;
    }

    private List<Reason> reasons() {
        fake.runtime.runDue();
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    /** No renewal gets through any more. */
    private void databaseGoes() {
        for (int i = 0; i < 1000; i++) {
            fake.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
    }

    @Test
    @DisplayName("HA-10: held until the validity ends, and not at that instant any more")
    void validityEndsOnTime() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));

        fake.clock.advance(30 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        fake.clock.advance(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: monotonic time stands still and time of day goes on: lost by a clock anomaly, noticed by itself")
    void suspendedMachineLoses() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.clock.stepWall(30 * SECOND);
        fake.runtime.runFor(SECOND / 2);

        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-11: whoever asks and is told of the end has it told to the others at once, each time")
    void endThatIsSeenIsToldAtOnceEachTime() throws InterruptedException {
        for (String name : List.of("one", "two")) {
            Lease lease = acquire(LeaseRequest.of(name));
            fake.clock.stepWall(30 * SECOND);

            assertThat(lease.isHeld()).isFalse();
            fake.runtime.runDue();
            assertThat(losses)
                    .last()
                    .satisfies(loss -> assertThat(loss.tenure()).isEqualTo(lease.tenure()));
        }
    }

    @Test
    @DisplayName(
            "HA-11: time of day that is ahead by no more than clocks may differ ends the validity, and is no anomaly")
    void clocksWithinTheBoundAreNoAnomaly() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.clock.stepWall(SECOND / 20);
        fake.clock.advance(30 * SECOND - SECOND / 20);
        fake.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: a caller has extended the tenure for longer than the handle was asked for, and clocks may differ by more at the end of that")
    void clocksMayDifferByMoreWhereACallerHasExtended() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.extended(lease.tenure(), 1200 * SECOND);
        fake.clock.stepWall(2 * SECOND);
        fake.clock.advance(1198 * SECOND);
        fake.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: time of day that is shown in milliseconds is up to one behind when a short term begins, and that is no anomaly")
    void timeOfDayInMillisecondsIsNoAnomaly() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.clock.advance(SECOND / 1000 - 1 - fake.clock.wallNanos() % (SECOND / 1000));
        fake.clock.showWallIn(SECOND / 1000);
        fake.operations.extended(lease.tenure(), SECOND * 4 / 10);
        fake.clock.advance(SECOND * 4 / 10 - SECOND / 1000 + 1);
        fake.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName("HA-11: time of day that stands still just before the end is not asked without a pause")
    void standingTimeOfDayIsNotAskedWithoutAPause() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.clock.showWallIn(SECOND / 1000);
        fake.clock.stepWall(29 * SECOND + SECOND / 2);
        fake.runtime.runFor(SECOND / 2);
        assertThat(lease.remaining()).isBetween(Duration.ofNanos(1), Duration.ofNanos(10));
        int instants = fake.runtime.instants();

        fake.runtime.runFor(SECOND / 1000);

        assertThat(fake.runtime.instants() - instants).isLessThan(20);
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
    }

    @Test
    @DisplayName("HA-12: time of day going back prolongs nothing")
    void wallGoingBackProlongsNothing() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.clock.stepWall(-3600 * SECOND);
        fake.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void onceFalseNeverTrueAgain() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        fake.operations.heartbeat();
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName("Never again 8, HA-14: a renewal that fails once is tried again, and nothing is lost")
    void failedRenewalIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(operation -> OperationEnds.fail(operation, new LeaseUnavailableException("once", null)));

        fake.runtime.runFor(600 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(fake.operations.sent(Request.Extend.class)).hasSizeBetween(30, 31);
    }

    @Test
    @DisplayName(
            "HA-14: the shorter the time that is left, the sooner the next try, so that it does not pass without one")
    void failedRenewalIsTriedUntilTheEnd() throws InterruptedException {
        acquire(TERM);
        databaseGoes();

        fake.runtime.runFor(59 * SECOND);
        int tries = fake.operations.sent(Request.Extend.class).size();
        fake.runtime.runFor(SECOND - 1);

        assertThat(fake.operations.sent(Request.Extend.class))
                .as("tries of the last second")
                .hasSizeGreaterThan(tries + 3);
    }

    @Test
    @DisplayName("HA-15: a renewal that is refused says that the tenure is over")
    void refusedRenewalLoses() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.runtime.runFor(10 * SECOND);
        fake.operations.heldByAnother("one", "h2", null);

        fake.runtime.runFor(10 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        fake.runtime.runFor(1);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-15: renewals that fail until the end: lost at that instant, once, with the cause")
    void renewalsThatFailLose() throws InterruptedException {
        Lease lease = acquire(TERM);
        databaseGoes();

        fake.runtime.runFor(60 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        fake.runtime.runFor(1);

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
        fake.operations.heartbeatFailure(cause);
        fake.runtime.runFor(30 * SECOND);

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).isSameAs(cause);
    }

    @Test
    @DisplayName("Never again 8, HA-16: an unexpected failure of a renewal is logged, and the schedule goes on")
    void unexpectedFailureOfARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(
                operation -> operation.answer().completeExceptionally(new IllegalStateException("scripted")));
        fake.runtime.runFor(300 * SECOND);

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
        fake.operations.script(OperationEnds::leaveUnknown);
        fake.runtime.runFor(120 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-17: a renewal that finds another tenure: taken over")
    void refusedRenewalIsTakenOver() throws InterruptedException {
        acquire(TERM);
        fake.operations.heldByAnother("one", "h2", null);
        fake.runtime.runFor(20 * SECOND);
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(fake.operations.sent(Request.Release.class)).isEmpty();
    }

    @Test
    @DisplayName("HA-17: a change that does not show how the lease stands leads to a poll, and to the loss")
    void changeOfAHeldLeaseLeadsToAPoll() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h"));
        Lease other = fake.acquire(LeaseRequest.of("two"));
        fake.runtime.runFor(2 * SECOND);
        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.changes.tell(new LeaseChange.Freed("two"));
        fake.runtime.runFor(SECOND / 10);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    @DisplayName(
            "HA-17: a poll that has failed is repeated, until it is known whether the lease was lost, and no longer")
    void suspicionLastsUntilAPollHasShownTheLease() throws InterruptedException {
        Lease lost = acquireWatched();
        Lease other = fake.acquire(LeaseRequest.of("two"));
        fake.operations.vacate("one");
        fake.operations.failPolls(3);
        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.changes.tell(new LeaseChange.Freed("two"));

        fake.runtime.runFor(2 * SECOND);
        assertThat(lost.isHeld()).isTrue();
        fake.runtime.runFor(2 * SECOND);
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
        fake.runtime.runFor(FakeLeaseManager.HOUR.toNanos());
        assertThat(fake.operations.polls()).hasSize(4);
    }

    @Test
    @DisplayName("HA-17: a change that shows the next tenure is a loss at once, without a poll")
    void changeThatShowsTheEndIsALossAtOnce() throws InterruptedException {
        Lease lease = acquireWatched();
        fake.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() + 1)));
        fake.runtime.runFor(SECOND / 100);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(fake.operations.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: an end that is told before the acquisition is answered is a loss right after it, since it is not told again")
    void endThatIsToldBeforeTheAnswerIsALossRightAfterIt() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(
                new LeaseChange.Freed("one", document(null, 1)), new LeaseChange.Taken("one", document("x", 2))));

        assertThat(one.join().orElseThrow().isHeld()).isFalse();
        assertThat(fake.operations.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: a change that is told before the acquisition is answered, and does not show the lease, leads to a poll")
    void changeThatIsToldBeforeTheAnswerLeadsToAPoll() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(new LeaseChange.Taken("one")));
        Lease lease = one.join().orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        fake.operations.vacate("one");
        fake.runtime.runFor(SECOND / 10);

        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whatWasToldBeforeTheAnswerAndShowsTheTenureLeadsToNoPoll() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(new LeaseChange.Taken("one", document("h", 1))));
        fake.runtime.runFor(SECOND);

        assertThat(one.join().orElseThrow().isHeld()).isTrue();
        assertThat(fake.operations.polls()).isEmpty();
    }

    /** An acquisition of the lease that changed while the answer was on its way. */
    private CompletableFuture<Acquisition> answeredAfter(List<LeaseChange> changes) throws InterruptedException {
        fake.acquire("two");
        fake.runtime.runFor(2 * SECOND);
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(open::set);
        CompletableFuture<Acquisition> one = fake.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        fake.operations.polls().clear();
        changes.forEach(fake.changes::tell);
        fake.runtime.runFor(SECOND / 100);
        fake.operations.answer(open.get());
        fake.runtime.runDue();
        return one;
    }

    @Test
    void changeThatShowsTheLeaseVacantUnderTheTokenIsALossAtOnce() throws InterruptedException {
        Lease lease = acquireWatched();
        fake.changes.tell(new LeaseChange.Freed("one", document(null, lease.token())));
        fake.runtime.runFor(SECOND / 100);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    @Test
    void changeThatShowsTheTenureItselfOrOneBeforeItLeadsToNoPoll() throws InterruptedException {
        Lease lease = acquireWatched();
        fake.changes.tell(new LeaseChange.Taken("one", document("h", lease.token())));
        fake.changes.tell(new LeaseChange.Freed("one", document(null, lease.token() - 1)));
        fake.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() - 1)));
        fake.runtime.runFor(SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(fake.operations.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-6: a tenure whose end was reported before its grant is for who had asked for it, not for who asked later")
    void endReportedBeforeTheGrantIsForNobodyWhoAskedLater() throws InterruptedException {
        fake.acquire(LeaseRequest.of("two"));
        fake.runtime.runFor(2 * SECOND);
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(open::set);
        LeaseRequest request = LeaseRequest.of("one").holder("h");
        CompletableFuture<Acquisition> first = fake.waits(request, FakeLeaseManager.HOUR);
        fake.changes.tell(new LeaseChange.Freed("one", document(null, 2)));
        fake.runtime.runFor(SECOND / 100);
        CompletableFuture<Acquisition> second = fake.waits(request, FakeLeaseManager.HOUR);

        fake.operations.answer(open.get());
        fake.operations.vacate("one");
        fake.runtime.runFor(SECOND);

        assertThat(first.join().orElseThrow().token()).isEqualTo(1);
        assertThat(first.join().orElseThrow().isHeld()).isFalse();
        assertThat(second.join().orElseThrow().isHeld()).isTrue();
    }

    /** For as long as makes it worth watching. */
    private Lease acquireWatched() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        fake.runtime.runFor(2 * SECOND);
        fake.operations.polls().clear();
        return lease;
    }

    private static LeaseDocument document(@Nullable String holder, long token) {
        return new LeaseDocument(
                FakeOperations.NAMESPACE,
                "one",
                holder,
                token,
                "b-1",
                1,
                null,
                0,
                null,
                Instant.EPOCH,
                Set.of(),
                0,
                null);
    }

    @Test
    void withoutAWatchHeldLeasesArePolledNowAndThen() throws InterruptedException {
        fake.changes.fail(new LeaseStoreException("not allowed", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.operations.vacate("one");
        fake.runtime.runFor(31 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO)).anyMatch(line -> line.contains("does not let this engine watch"));
    }

    @Test
    void whileTheWatchKeepsFailingHeldLeasesArePolledNowAndThen() throws InterruptedException {
        fake.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.operations.vacate("one");
        fake.runtime.runFor(35 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    @Test
    void watchThatKeepsFailingIsToldOnceAndAgainWhenItWorks() throws InterruptedException {
        fake.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.runtime.runFor(5 * SECOND);
        assertThat(log.messages(Level.INFO)).as("a fail-over").isEmpty();
        fake.runtime.runFor(10 * FakeLeaseManager.MINUTE.toNanos());
        assertThat(log.messages(Level.INFO)).singleElement().asString().contains("watching for changes has failed");

        fake.changes.failNoMore();
        fake.runtime.runFor(FakeLeaseManager.MINUTE.toNanos());

        assertThat(log.messages(Level.INFO))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("watch for changes now");
    }

    @Test
    void watchThatBeginsAndNeverTellsIsBegunAgainLessAndLessOften() throws InterruptedException {
        fake.changes.failAlwaysOnceBegun(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.runtime.runFor(FakeLeaseManager.HOUR.toNanos() / 10);

        assertThat(fake.changes.opened()).isLessThan(200);
        assertThat(log.messages(Level.INFO)).hasSize(1);
    }

    @Test
    void watchThatWasRefusedIsAskedForAgainAndThenTellsAtOnce() throws InterruptedException {
        fake.changes.fail(new LeaseStoreException("not allowed", null));
        fake.changes.fail(new LeaseStoreException("not allowed yet", null));
        Lease lease = acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.runtime.runFor(3 * ChangeWatcher.REFUSED_NANOS);
        fake.changes.tell(new LeaseChange.Taken("one", document("h2", lease.token() + 1)));
        fake.runtime.runFor(SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO))
                .filteredOn(line -> line.contains("watch"))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("lets this engine watch");
    }

    @Test
    void watchThatWorksAfterARefusalLeadsToOnePoll() throws InterruptedException {
        fake.changes.fail(new LeaseStoreException("not allowed", null));
        Lease lease = acquire(TERM.term(FakeLeaseManager.HOUR));
        fake.runtime.runFor(2 * ChangeWatcher.REFUSED_NANOS);
        fake.operations.polls().clear();
        fake.runtime.runFor(FakeLeaseManager.HOUR.toNanos());

        assertThat(lease.isHeld()).isTrue();
        assertThat(fake.operations.polls()).isEmpty();
    }

    @Test
    @DisplayName("HA-17: evicted, as the engine below tells")
    void evicted() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        fake.leaseManager.onLost(lease.tenure(), Reason.EXPIRED);
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-17, HA-34: closing the engine tells the holders, and releases what has a term")
    void closedEngine() throws InterruptedException {
        Lease lease = acquire(TERM);
        assertThat(fake.leaseManager.close(true)).isNotDone();
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(fake.operations.holding("one")).isNull();
        lease.close();
    }

    @Test
    @DisplayName(
            "HA-17, HA-34: a poll while the engine is being closed finds no other reason, and nothing is given back one by one")
    void polledWhileTheEngineIsBeingClosed() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.operations.onValiditiesEnded(() -> assertThat(lease.isHeld()).isFalse());
        fake.leaseManager.close(true);
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(fake.operations.sent(Request.Release.class))
                .as("the session takes it along")
                .isEmpty();
    }

    @Test
    @DisplayName("HA-17: who sees the end before the word of it has come finds its reason")
    void polledWhileTheNewsOfTheEndIsOnItsWay() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.operations.cutShort(lease.tenure(), Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        fake.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName(
            "HA-17: a poll while a caller releases it by its tenure finds no other reason, and the lease is not left to the session")
    void polledWhileACallerReleasesIt() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.operations.cutShort(lease.tenure(), Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called soon, each once")
    void lateCallbackIsCalledSoon() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        assertThat(losses).as("never on the caller's thread").hasSize(1);
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called also when its handle is closed right after it")
    void lateCallbackOfAHandleThatIsClosedIsCalled() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        fake.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        lease.close();
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-19: a callback that throws is logged, and the others are called")
    void callbackThrows() throws InterruptedException {
        Lease lease = fake.acquire("one");
        lease.onLost(loss -> {
            throw new IllegalStateException("scripted");
        });
        lease.onLost(losses::add);
        fake.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        assertThat(log.warningsAbout("callback")).hasSize(1);
    }

    @Test
    void closedHandleHearsOfNoLoss() throws InterruptedException {
        Lease closed = acquire(LeaseRequest.of("one").holder("h"));
        Lease open = fake.acquire(LeaseRequest.of("one").holder("h"));
        closed.close();
        fake.leaseManager.onLost(open.tenure(), Reason.EVICTED);
        assertThat(reasons()).isEmpty();
    }

    @Test
    @DisplayName("HA-20: a late close leaves the next holder alone, and the lost tenure was given back by itself")
    void lateCloseIsHarmless() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        fake.clock.advance(31 * SECOND);
        fake.operations.heldByAnother("one", "h2", null);
        fake.runtime.runDue();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);

        lease.close();
        assertThat(fake.operations.holding("one")).isNotNull();
        assertThat(fake.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO))
                .isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName(
            "HA-6: a term that was lost by time is left to run out: it may have been extended elsewhere by its tenure")
    void lostTermIsLeftToRunOut() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(fake.operations.sent(Request.Release.class)).isEmpty();
        assertThat(fake.operations.holding("one")).isEqualTo(lease.tenure());
        assertThat(fake.operations.traces()).isZero();
    }

    @Test
    @DisplayName("HA-21: closed twice: one release")
    void closedTwice() throws InterruptedException {
        Lease lease = acquire(TERM);
        lease.close();
        lease.close();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-20: closed when its time was over and nobody had noticed: given back all the same")
    void closedWhenItsTimeWasOver() throws InterruptedException {
        Lease late = acquire(TERM);
        fake.clock.stepWall(60 * SECOND);
        late.close();
        assertThat(fake.operations.sent(Request.Release.class)).containsExactly(new Request.Release(late.tenure()));
    }

    @Test
    @DisplayName("HA-22: close returns in its time while the database is silent, and goes on trying")
    void closeIsBounded() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.operations.script(operation -> {});
        long beganNanos = fake.clock.monotonicNanos();
        lease.close();
        assertThat(fake.clock.monotonicNanos() - beganNanos).isEqualTo(5 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-22: a release that fails is tried again until it is settled")
    void failedReleaseIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        for (int i = 0; i < 5; i++) {
            fake.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        lease.close();
        fake.runtime.runFor(60 * SECOND);
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.operations.isGivenUp(lease.tenure()))
                .as("forgotten when it is over")
                .isFalse();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(6);
    }

    @Test
    @DisplayName("HA-22: an acquire of the lease ends the pause before the next try, since it follows the answer")
    void acquireEndsThePauseOfAFailedRelease() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h"));
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        fake.clock.advance(FakeOperations.SESSION_NANOS);
        fake.runtime.runDue();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);

        CompletableFuture<Acquisition> next = fake.waits(LeaseRequest.of("one").holder("h2"), Duration.ZERO);
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Release.class)).hasSize(2);
        assertThat(next.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("An outage fills no log: the tries of each release are told less and less often")
    void releaseThatGoesOnFailingIsToldLessAndLessOften() throws InterruptedException {
        Lease lease = acquire(TERM);
        failsTimes(200);
        lease.close();
        fake.runtime.runFor(FakeLeaseManager.HOUR.toNanos());

        assertThat(fake.operations.sent(Request.Release.class)).hasSize(201);
        assertThat(log.warningsAbout("to release it has failed")).hasSize(8);
        assertThat(log.messages(Level.DEBUG))
                .filteredOn(line -> line.contains("to release it has failed"))
                .hasSize(192);
    }

    @Test
    @DisplayName("The same for the renewals of each term")
    void renewalThatGoesOnFailingIsToldLessAndLessOften() throws InterruptedException {
        acquire(TERM);
        failsTimes(200);
        fake.runtime.runFor(FakeLeaseManager.MINUTE.toNanos());

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(fake.operations.sent(Request.Extend.class)).hasSizeGreaterThan(20);
        assertThat(log.warningsAbout("in a row has failed")).hasSizeLessThan(8);
    }

    @Test
    @DisplayName("An outage that hits many leases is told once for all of them, at each step")
    void releasesOfManyLeasesThatFailAreToldAsOne() throws InterruptedException {
        List<Lease> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(fake.acquire("many-" + i));
        }
        failsTimes(40 * 6);
        many.forEach(Lease::closeAsync);
        fake.runtime.runFor(60 * SECOND);

        assertThat(fake.leaseManager.held()).isZero();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(40 * 7);
        assertThat(log.warningsAbout("to release it has failed"))
                .as("after 1, 2 and 4 failures")
                .hasSize(3);
        assertThat(log.warningsAbout("to release it has failed").get(1)).contains("40 leases");
        Lease later = fake.acquire("later");
        failsTimes(1);
        later.close();
        assertThat(log.warningsAbout("to release it has failed"))
                .as("told anew once all were released")
                .hasSize(4);
    }

    @Test
    @DisplayName("So are the renewals of many terms")
    void renewalsOfManyTermsThatFailAreToldAsOne() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            fake.acquire(LeaseRequest.of("many-" + i).term(FakeLeaseManager.MINUTE));
        }
        failsTimes(40 * 3);
        fake.runtime.runFor(FakeLeaseManager.MINUTE.toNanos() / 2);

        assertThat(fake.leaseManager.held()).isEqualTo(40);
        assertThat(log.warningsAbout("in a row has failed")).hasSizeBetween(1, 2);
    }

    private void failsTimes(int times) {
        for (int i = 0; i < times; i++) {
            fake.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
    }

    @Test
    void interruptedCloseKeepsTheFlagAndGivesUp() throws InterruptedException {
        Lease lease = acquire(TERM);
        Thread.currentThread().interrupt();
        lease.close();
        assertThat(Thread.interrupted()).isTrue();
        fake.runtime.runDue();
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-23: close while a renewal is on its way: free afterwards, and nothing is renewed any more")
    void closeDuringARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        fake.clock.advance(20 * SECOND);
        fake.operations.script(operation -> {
            lease.onLost(losses::add);
            fake.operations.answer(operation);
        });
        fake.runtime.runFor(0);
        lease.close();
        fake.runtime.runFor(600 * SECOND);
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.operations.sent(Request.Extend.class)).hasSize(1);
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
        assertThatThrownBy(() -> fake.acquire(TERM.term(Duration.ofSeconds(10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term PT10S is refused")
                .hasMessageContaining("operation budget, which is PT10S");
        assertThatThrownBy(() -> fake.acquire(TERM.term(FakeLeaseManager.MINUTE, Duration.ofSeconds(30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewal period PT30S is refused")
                .hasMessageContaining("PT1M");
        assertThatThrownBy(() -> fake.leaseManager.tryAcquire(TERM, Duration.ofDays(36_501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT876024H is refused");
        assertThatThrownBy(() -> fake.leaseManager.tryAcquire(TERM, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fake.operations.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-6: what time has ended is given back only if no other engine has kept it; a close asks nobody")
    void onlyACloseGivesBackWhateverOthersDid() throws InterruptedException {
        Lease lost = acquire(LeaseRequest.of("lost"));
        fake.clock.advance(30 * SECOND);
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
        Lease closed = acquire(LeaseRequest.of("closed"));
        closed.close();

        assertThat(fake.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(lost.tenure()), new Request.Release(closed.tenure()));
    }
}
