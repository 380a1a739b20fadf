package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.Validity;
import dev.leasehold.engine.internal.watch.ChangeWatcher;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a handle is valid, how it is renewed, how it is lost, and how it is closed. */
class LossTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest TERM = LeaseRequest.of("one").holder("h").term(SteppedLeases.MINUTE);

    private final SteppedLeases a = SteppedLeases.withDrift(1000);
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
        Lease lease = a.acquire(request);
        lease.onLost(losses::add);
        a.runtime.runDue();
        return lease;
    }

    /** A caller has extended it by its tenure, or it was granted for less. */
    private void extended(Tenure tenure, long nanos) {
        a.partition.validities().forget(tenure);
        a.partition
                .validities()
                .begin(tenure, new HoldBasis.Term(Validity.from(a.clock().nowNanos(), a.clock.wallNanos(), nanos)));
    }

    private List<Reason> reasons() {
        a.runtime.runDue();
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    /** No renewal gets through any more. */
    private void databaseGoes() {
        a.refuseWrites(1000, new LeaseUnavailableException("no database", null));
    }

    @Test
    @DisplayName("HA-10: held until the validity ends, and not at that instant any more")
    void validityEndsOnTime() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));

        a.clock.advance(30 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        a.clock.advance(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: monotonic time stands still and time of day goes on: lost by a clock anomaly, noticed by itself")
    void suspendedMachineLoses() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.clock.stepWall(30 * SECOND);
        a.runtime.runFor(SECOND / 2);

        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-11: a caller that asks and is told of the end has it told to the others at once, each time")
    void endThatIsSeenIsToldAtOnceEachTime() throws InterruptedException {
        for (String name : List.of("one", "two")) {
            Lease lease = acquire(LeaseRequest.of(name));
            a.clock.stepWall(30 * SECOND);

            assertThat(lease.isHeld()).isFalse();
            a.runtime.runDue();
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
        a.clock.stepWall(SECOND / 20);
        a.clock.advance(30 * SECOND - SECOND / 20);
        a.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName(
            "HA-11: a caller has extended the tenure for longer than the handle was asked for, and clocks may differ by more at the end of that")
    void clocksMayDifferByMoreWhereACallerHasExtended() throws InterruptedException {
        Lease lease = acquire(TERM);
        extended(lease.tenure(), 1200 * SECOND);
        a.clock.stepWall(2 * SECOND);
        a.clock.advance(1198 * SECOND);
        a.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 64})
    @DisplayName(
            "HA-11: time of day that ticks so often in a second is up to one tick behind when a short term begins, and that is no anomaly")
    void timeOfDayThatTicksIsNoAnomaly(int ticksInASecond) throws InterruptedException {
        long tickNanos = SECOND / ticksInASecond;
        Lease lease = acquire(TERM);
        a.clock.advance(tickNanos - 1 - a.clock.wallNanos() % tickNanos);
        a.clock.showWallIn(tickNanos);
        extended(lease.tenure(), SECOND / 2);
        a.clock.advance(SECOND / 2 - tickNanos + 1);
        a.runtime.runDue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
    }

    @Test
    @DisplayName("HA-11: time of day that stands still just before the end is not asked without a pause")
    void standingTimeOfDayIsNotAskedWithoutAPause() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.clock.showWallIn(SECOND / 1000);
        a.clock.stepWall(29 * SECOND + SECOND / 2);
        a.runtime.runFor(SECOND / 2);
        assertThat(lease.remaining()).isBetween(Duration.ofNanos(1), Duration.ofNanos(10));
        int instants = a.runtime.instants();

        a.runtime.runFor(SECOND / 1000);

        assertThat(a.runtime.instants() - instants).isLessThan(20);
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
    }

    @Test
    @DisplayName("HA-12: time of day going back prolongs nothing")
    void wallGoingBackProlongsNothing() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.clock.stepWall(-3600 * SECOND);
        a.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void onceFalseNeverTrueAgain() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.clock.advance(30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        a.runtime.runFor(SECOND);
        assertThat(a.store.entry(a.partition.writer()).timeNanos())
                .as("its session goes on")
                .isGreaterThanOrEqualTo(TestClock.Z + 30 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName("Never again 8, HA-14: a renewal that fails once is tried again, and nothing is lost")
    void failedRenewalIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.refuseWrites(1, new LeaseUnavailableException("once", null));

        a.runtime.runFor(600 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(a.sent(Request.Extend.class)).hasSizeBetween(30, 31);
    }

    @Test
    @DisplayName(
            "A term is renewed once in a third of it, also shortly before the handle has lasted for the most it may")
    void noRenewalIsHastenedByTheEndOfTheHandle() throws InterruptedException {
        acquire(TERM.atMost(Duration.ofSeconds(90)));
        submitsTakeTime();

        a.runtime.runFor(89 * SECOND);

        assertThat(a.sent(Request.Extend.class)).hasSize(4);
    }

    @Test
    @DisplayName(
            "A term that was extended by its tenure is renewed in time, though the machine was suspended since then")
    void extendedTermIsRenewedThoughTheMachineWasSuspended() throws InterruptedException {
        Lease lease = acquire(TERM);
        extended(lease.tenure(), 600 * SECOND);
        a.runtime.runFor(30 * SECOND);

        a.clock.stepWall(100 * SECOND);
        a.runtime.runFor(600 * SECOND);

        assertThat(losses).isEmpty();
        assertThat(lease.isHeld()).isTrue();
    }

    private void submitsTakeTime() {
        a.beforeSubmit(() -> {
            a.clock.advance(SECOND / 200);
            submitsTakeTime();
        });
    }

    @Test
    @DisplayName(
            "HA-14: the shorter the time that is left, the sooner the next try, so that it does not pass without one")
    void failedRenewalIsTriedUntilTheEnd() throws InterruptedException {
        acquire(TERM);
        databaseGoes();

        a.runtime.runFor(59 * SECOND);
        int tries = a.sent(Request.Extend.class).size();
        a.runtime.runFor(SECOND - 1);

        assertThat(a.sent(Request.Extend.class)).as("tries of the last second").hasSizeGreaterThan(tries + 3);
    }

    @Test
    @DisplayName("HA-15: a renewal that is refused says that the tenure is over")
    void refusedRenewalLoses() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.runtime.runFor(10 * SECOND);
        a.heldByAnother("one", "h2");

        a.runtime.runFor(10 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        a.runtime.runFor(1);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
        assertThat(a.sent(Request.Release.class)).isEmpty();
    }

    @Test
    @DisplayName("HA-15: renewals that fail until the end: lost at that instant, once, with the cause")
    void renewalsThatFailLose() throws InterruptedException {
        Lease lease = acquire(TERM);
        databaseGoes();

        a.runtime.runFor(60 * SECOND - 1);
        assertThat(lease.isHeld()).isTrue();
        a.runtime.runFor(1);

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
        a.store.fail(cause);
        a.runtime.runFor(30 * SECOND);

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(losses.get(0).cause()).hasRootCause(cause);
    }

    @Test
    @DisplayName("Never again 8, HA-16: an unexpected failure of a renewal is logged, and the schedule goes on")
    void unexpectedFailureOfARenewal() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.beforeSubmit(() -> {
            throw new IllegalStateException("scripted");
        });
        a.runtime.runFor(300 * SECOND);

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
        a.store.onWrite(write -> ScriptedStore.unknown());
        a.runtime.runFor(120 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-17: a change that does not show how the lease stands leads to a poll, and to the loss")
    void changeOfAHeldLeaseLeadsToAPoll() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h"));
        Lease other = a.acquire(LeaseRequest.of("two"));
        a.runtime.runFor(2 * SECOND);
        a.free("one");
        a.changes.tell(new LeaseChange.Freed("two", null));
        a.runtime.runFor(SECOND / 10);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    @DisplayName(
            "HA-17: a poll that has failed is repeated, until it is known whether the lease was lost, and no longer")
    void suspicionLastsUntilAPollHasShownTheLease() throws InterruptedException {
        Lease lost = acquireWatched();
        Lease other = a.acquire(LeaseRequest.of("two"));
        a.vacate("one");
        a.failReads(3);
        a.changes.tell(new LeaseChange.Freed("one", null));
        a.changes.tell(new LeaseChange.Freed("two", null));

        a.runtime.runFor(2 * SECOND);
        assertThat(lost.isHeld()).isTrue();
        a.runtime.runFor(2 * SECOND);
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(other.isHeld()).isTrue();
        a.runtime.runFor(SteppedLeases.HOUR.toNanos());
        assertThat(a.polls()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "HA-17: a change that shows the next tenure, or the lease vacant under the token, is a loss at once, without a poll")
    void changeThatShowsTheEndIsALossAtOnce(boolean taken) throws InterruptedException {
        Lease lease = acquireWatched();
        a.changes.tell(
                taken
                        ? new LeaseChange.Taken("one", a.byAnother("one", "h2", lease.token() + 1))
                        : new LeaseChange.Freed("one", a.byAnother("one", null, lease.token())));
        a.runtime.runFor(SECOND / 100);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(a.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: an end that is told before the acquisition is answered is a loss right after it, since it is not told again")
    void endThatIsToldBeforeTheAnswerIsALossRightAfterIt() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(
                new LeaseChange.Freed("one", a.byAnother("one", null, 1)),
                new LeaseChange.Taken("one", a.byAnother("one", "x", 2))));

        assertThat(one.join().orElseThrow().isHeld()).isFalse();
        assertThat(a.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-17: a change that is told before the acquisition is answered, and does not show the lease, leads to a poll")
    void changeThatIsToldBeforeTheAnswerLeadsToAPoll() throws InterruptedException {
        CompletableFuture<Acquisition> one = answeredAfter(List.of(new LeaseChange.Taken("one", null)));
        Lease lease = one.join().orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        a.vacate("one");
        a.runtime.runFor(SECOND / 10);

        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whatWasToldBeforeTheAnswerAndShowsTheTenureLeadsToNoPoll() throws InterruptedException {
        CompletableFuture<Acquisition> one =
                answeredAfter(List.of(new LeaseChange.Taken("one", a.byAnother("one", "h", 1))));
        a.runtime.runFor(SECOND);

        assertThat(one.join().orElseThrow().isHeld()).isTrue();
        assertThat(a.polls()).isEmpty();
    }

    /** An acquisition of the lease that changed while the answer was on its way. */
    private CompletableFuture<Acquisition> answeredAfter(List<LeaseChange> changes) throws InterruptedException {
        a.acquire("two");
        a.runtime.runFor(2 * SECOND);
        a.polls().clear();
        a.store.onWrite(write -> {
            changes.forEach(a.changes::tell);
            a.runtime.runFor(SECOND / 100);
            return write.send();
        });
        return a.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
    }

    @Test
    void changeThatShowsTheTenureItselfOrOneBeforeItLeadsToNoPoll() throws InterruptedException {
        Lease lease = acquireWatched();
        a.changes.tell(new LeaseChange.Taken("one", a.byAnother("one", "h", lease.token())));
        a.changes.tell(new LeaseChange.Freed("one", a.byAnother("one", null, lease.token() - 1)));
        a.changes.tell(new LeaseChange.Taken("one", a.byAnother("one", "h2", lease.token() - 1)));
        a.runtime.runFor(SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(a.polls()).isEmpty();
    }

    @Test
    @DisplayName(
            "HA-6: a tenure whose end was reported before its grant is for the caller that had asked for it, not for one that asked later")
    void endReportedBeforeTheGrantIsForNoneThatAskedLater() throws InterruptedException {
        a.acquire(LeaseRequest.of("two"));
        a.runtime.runFor(2 * SECOND);
        LeaseRequest request = LeaseRequest.of("one").holder("h");
        List<CompletableFuture<Acquisition>> later = new ArrayList<>();
        a.store.onWrite(write -> {
            WriteOutcome outcome = write.send();
            a.vacate("one");
            a.changes.tell(new LeaseChange.Freed("one", a.byAnother("one", null, 2)));
            a.runtime.runFor(SECOND / 100);
            later.add(a.waits(request, SteppedLeases.HOUR));
            return outcome;
        });
        CompletableFuture<Acquisition> first = a.waits(request, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);

        assertThat(first.join().orElseThrow().token()).isEqualTo(1);
        assertThat(first.join().orElseThrow().isHeld()).isFalse();
        assertThat(later.get(0).join().orElseThrow().isHeld()).isTrue();
    }

    /** For as long as makes it worth watching. */
    private Lease acquireWatched() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        a.runtime.runFor(2 * SECOND);
        a.polls().clear();
        return lease;
    }

    @Test
    void withoutAWatchHeldLeasesArePolledNowAndThen() throws InterruptedException {
        a.changes.fail(new LeaseStoreException("not allowed", null));
        acquire(TERM.term(SteppedLeases.HOUR));
        a.vacate("one");
        a.runtime.runFor(31 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO)).anyMatch(line -> line.contains("does not let this engine watch"));
    }

    @Test
    void whileTheWatchKeepsFailingHeldLeasesArePolledNowAndThen() throws InterruptedException {
        a.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(SteppedLeases.HOUR));
        a.vacate("one");
        a.runtime.runFor(35 * SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    @Test
    void watchThatKeepsFailingIsToldOnceAndAgainWhenItWorks() throws InterruptedException {
        a.changes.failAlways(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(SteppedLeases.HOUR));
        a.runtime.runFor(5 * SECOND);
        assertThat(log.messages(Level.INFO)).as("a fail-over").isEmpty();
        a.runtime.runFor(10 * SteppedLeases.MINUTE.toNanos());
        assertThat(log.messages(Level.INFO)).singleElement().asString().contains("watching for changes has failed");

        a.changes.failNoMore();
        a.runtime.runFor(SteppedLeases.MINUTE.toNanos());

        assertThat(log.messages(Level.INFO))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("watch for changes now");
    }

    @Test
    void watchThatBeginsAndNeverTellsIsBegunAgainLessAndLessOften() throws InterruptedException {
        a.changes.failAlwaysOnceBegun(new LeaseUnavailableException("stream", null));
        acquire(TERM.term(SteppedLeases.HOUR));
        a.runtime.runFor(SteppedLeases.HOUR.toNanos() / 10);

        assertThat(a.changes.opened()).isLessThan(200);
        assertThat(log.messages(Level.INFO)).hasSize(1);
    }

    @Test
    void watchThatWasRefusedIsAskedForAgainAndThenTellsAtOnce() throws InterruptedException {
        a.changes.fail(new LeaseStoreException("not allowed", null));
        a.changes.fail(new LeaseStoreException("not allowed yet", null));
        Lease lease = acquire(TERM.term(SteppedLeases.HOUR));
        a.runtime.runFor(3 * ChangeWatcher.REFUSED_NANOS);
        a.changes.tell(new LeaseChange.Taken("one", a.byAnother("one", "h2", lease.token() + 1)));
        a.runtime.runFor(SECOND);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(log.messages(Level.INFO))
                .filteredOn(line -> line.contains("watch"))
                .hasSize(2)
                .last(InstanceOfAssertFactories.STRING)
                .contains("lets this engine watch");
    }

    @Test
    void watchThatWorksAfterARefusalLeadsToOnePoll() throws InterruptedException {
        a.changes.fail(new LeaseStoreException("not allowed", null));
        Lease lease = acquire(TERM.term(SteppedLeases.HOUR));
        a.runtime.runFor(2 * ChangeWatcher.REFUSED_NANOS);
        a.polls().clear();
        a.runtime.runFor(SteppedLeases.HOUR.toNanos());

        assertThat(lease.isHeld()).isTrue();
        assertThat(a.polls()).isEmpty();
    }

    @Test
    @DisplayName("HA-17: evicted, as the engine below tells")
    void evicted() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        a.leaseManager.onLost(lease.tenure(), Reason.EXPIRED);
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-17, HA-34: closing the engine tells the holders, and releases what has a term")
    void closedEngine() throws InterruptedException {
        Lease lease = acquire(TERM);
        assertThat(a.leaseManager.close(true)).isNotDone();
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(a.holding("one")).isNull();
        lease.close();
    }

    @Test
    @DisplayName(
            "HA-17, HA-34: a poll while the engine is being closed finds no other reason, and nothing is given back one by one")
    void polledWhileTheEngineIsBeingClosed() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.leaseManager.close(true);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.CLOSED);
        assertThat(a.sent(Request.Release.class))
                .as("the session takes it along")
                .isEmpty();
    }

    @Test
    @DisplayName("HA-17: what sees the end before the word of it has come finds its reason")
    void polledWhileTheNewsOfTheEndIsOnItsWay() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.partition.validities().lost(lease.tenure(), Reason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.EVICTED);
        a.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
    }

    @Test
    @DisplayName(
            "HA-17: a poll while a caller releases it by its tenure finds no other reason, and the lease is not left to the session")
    void polledWhileACallerReleasesIt() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.partition.validities().callerReleases(lease.tenure());
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(a.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called soon, each once")
    void lateCallbackIsCalledSoon() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        assertThat(losses).as("never on the caller's thread").hasSize(1);
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-18: a callback that comes after the loss is called also when its handle is closed right after it")
    void lateCallbackOfAHandleThatIsClosedIsCalled() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one"));
        a.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        lease.onLost(losses::add);
        lease.close();
        assertThat(reasons()).hasSize(2);
    }

    @Test
    @DisplayName("HA-19: a callback that throws is logged, and the others are called")
    void callbackThrows() throws InterruptedException {
        Lease lease = a.acquire("one");
        lease.onLost(loss -> {
            throw new IllegalStateException("scripted");
        });
        lease.onLost(losses::add);
        a.leaseManager.onLost(lease.tenure(), Reason.EVICTED);
        assertThat(reasons()).hasSize(1);
        assertThat(log.warningsAbout("callback")).hasSize(1);
    }

    @Test
    void closedHandleHearsOfNoLoss() throws InterruptedException {
        Lease closed = acquire(LeaseRequest.of("one").holder("h"));
        Lease open = a.acquire(LeaseRequest.of("one").holder("h"));
        closed.close();
        a.leaseManager.onLost(open.tenure(), Reason.EVICTED);
        assertThat(reasons()).isEmpty();
    }

    @Test
    @DisplayName("HA-20: a late close leaves the next holder alone, and the lost tenure was given back by itself")
    void lateCloseIsHarmless() throws InterruptedException {
        Lease lease = acquire(LeaseRequest.of("one").holder("h"));
        a.clock.advance(31 * SECOND);
        a.heldByAnother("one", "h2");
        a.runtime.runDue();
        assertThat(a.sent(Request.Release.class)).hasSize(1);

        lease.close();
        assertThat(a.holding("one")).isNotNull();
        assertThat(a.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO))
                .isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName(
            "HA-6: a term that was lost by time is left to run out: it may have been extended elsewhere by its tenure")
    void lostTermIsLeftToRunOut() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.CLOCK_ANOMALY);
        assertThat(a.sent(Request.Release.class)).isEmpty();
        assertThat(a.holding("one")).isEqualTo(lease.tenure());
        assertThat(a.partition.validities().rememberedCount()).isZero();
    }

    @Test
    @DisplayName(
            "A handle that is closed while the engine closes is not told that its lease is free if the release has failed")
    void closeBehindAReleaseThatHasFailedIsNotToldThatTheLeaseIsFree() throws InterruptedException {
        Lease lease = a.acquire(LeaseRequest.of("long").atMost(Duration.ofSeconds(10)));
        a.acquire(TERM);
        a.refuseWrites(2, new LeaseUnavailableException("no database", null));
        a.runtime.runFor(10 * SECOND);
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        List<CompletableFuture<Boolean>> closed = new ArrayList<>();
        a.store.onWrite(write -> {
            a.runtime.runDue();
            closed.add(lease.closeAsync().toCompletableFuture());
            a.runtime.runDue();
            return write.send();
        });

        a.leaseManager.close(true);
        a.runtime.runDue();

        assertThat(closed).singleElement().satisfies(each -> assertThat(each).isCompletedWithValue(false));
        assertThat(a.holding("long")).isEqualTo(lease.tenure());
    }

    @Test
    @DisplayName("HA-21: closed twice: one release")
    void closedTwice() throws InterruptedException {
        Lease lease = acquire(TERM);
        lease.close();
        lease.close();
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("HA-20: closed when its time was over and nothing had noticed: given back all the same")
    void closedWhenItsTimeWasOver() throws InterruptedException {
        Lease late = acquire(TERM);
        a.clock.stepWall(60 * SECOND);
        late.close();
        assertThat(a.sent(Request.Release.class)).containsExactly(new Request.Release(late.tenure()));
    }

    @Test
    @DisplayName("HA-22: close returns in its time while the database is silent, and goes on trying")
    void closeIsBounded() throws InterruptedException {
        Lease lease = acquire(TERM);
        a.store.onWrite(write -> {
            a.runtime.runFor(5 * SECOND);
            return ScriptedStore.unavailable();
        });
        long beganNanos = a.clock.monotonicNanos();
        lease.close();
        assertThat(a.clock.monotonicNanos() - beganNanos).isEqualTo(5 * SECOND);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("HA-22: a release that fails is tried again until it is settled")
    void failedReleaseIsTriedAgain() throws InterruptedException {
        Lease lease = acquire(TERM);
        failsTimes(5);
        lease.close();
        a.runtime.runFor(60 * SECOND);
        assertThat(a.holding("one")).isNull();
        assertThat(a.partition.validities().isEnded(lease.tenure()))
                .as("forgotten when it is over")
                .isFalse();
        assertThat(a.sent(Request.Release.class)).hasSize(6);
    }

    @Test
    @DisplayName("HA-22: an acquire of the lease ends the pause before the next try, since it follows the answer")
    void acquireEndsThePauseOfAFailedRelease() throws InterruptedException {
        acquire(LeaseRequest.of("one").holder("h"));
        failsTimes(1);
        a.clock.advance(SteppedLeases.SESSION);
        a.runtime.runDue();
        assertThat(a.sent(Request.Release.class)).hasSize(1);

        CompletableFuture<Acquisition> next = a.waits(LeaseRequest.of("one").holder("h2"), Duration.ZERO);
        a.runtime.runDue();

        assertThat(a.sent(Request.Release.class)).hasSize(2);
        assertThat(next.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("An outage fills no log: the tries of each release are told less and less often")
    void releaseThatGoesOnFailingIsToldLessAndLessOften() throws InterruptedException {
        Lease lease = acquire(TERM);
        failsTimes(200);
        lease.close();
        a.runtime.runFor(SteppedLeases.HOUR.toNanos());

        assertThat(a.sent(Request.Release.class)).hasSize(201);
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
        a.runtime.runFor(SteppedLeases.MINUTE.toNanos());

        assertThat(reasons()).containsExactly(Reason.NOT_RENEWED);
        assertThat(a.sent(Request.Extend.class)).hasSizeGreaterThan(20);
        assertThat(log.warningsAbout("in a row has failed")).hasSizeLessThan(8);
    }

    @Test
    @DisplayName("An outage that hits many leases is told once for all of them, at each step")
    void releasesOfManyLeasesThatFailAreToldAsOne() throws InterruptedException {
        List<Lease> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(a.acquire("many-" + i));
        }
        a.store.fail(new LeaseStoreException("no right to write", null));
        many.forEach(Lease::closeAsync);
        a.runtime.runFor(5 * SECOND);
        a.store.failNoMore();
        a.runtime.runFor(60 * SECOND);

        assertThat(a.leaseManager.held()).isZero();
        assertThat(a.sent(Request.Release.class)).hasSize(40 * 7);
        assertThat(log.warningsAbout("to release it has failed"))
                .as("after 1, 2 and 4 failures")
                .hasSize(3);
        assertThat(log.warningsAbout("to release it has failed").get(1)).contains("40 leases");
        Lease later = a.acquire("later");
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
            a.acquire(LeaseRequest.of("many-" + i).term(SteppedLeases.MINUTE));
        }
        failsTimes(40 * 3);
        a.runtime.runFor(SteppedLeases.MINUTE.toNanos() / 2);

        assertThat(a.leaseManager.held()).isEqualTo(40);
        assertThat(log.warningsAbout("in a row has failed")).hasSizeBetween(1, 2);
    }

    private void failsTimes(int times) {
        a.refuseWrites(times, new LeaseUnavailableException("no database", null));
    }

    @Test
    void interruptedCloseKeepsTheFlagAndGivesUp() throws InterruptedException {
        Lease lease = acquire(TERM);
        Thread.currentThread().interrupt();
        lease.close();
        assertThat(Thread.interrupted()).isTrue();
        a.runtime.runDue();
        assertThat(a.holding("one")).isNull();
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
        assertThatThrownBy(() -> a.acquire(TERM.term(Duration.ofSeconds(10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term PT10S is refused")
                .hasMessageContaining("operation budget, which is PT10S");
        assertThatThrownBy(() -> a.acquire(TERM.term(SteppedLeases.MINUTE, Duration.ofSeconds(30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewal period PT30S is refused")
                .hasMessageContaining("PT1M");
        assertThatThrownBy(() -> a.leaseManager.tryAcquire(TERM, Duration.ofDays(36_501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT876024H is refused");
        assertThatThrownBy(() -> a.leaseManager.tryAcquire(TERM, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(a.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-6: what time has ended is given back only if no other engine has kept it; a close asks no engine")
    void onlyACloseGivesBackWhateverOthersDid() throws InterruptedException {
        Lease lost = acquire(LeaseRequest.of("lost"));
        a.clock.advance(30 * SECOND);
        assertThat(reasons()).containsExactly(Reason.EXPIRED);
        Lease closed = acquire(LeaseRequest.of("closed"));
        closed.close();

        assertThat(a.sent(Request.Release.class))
                .containsExactly(new Request.Release(lost.tenure()), new Request.Release(closed.tenure()));
    }
}
