package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.world.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a lease is waited for that others hold, and what wakes whom. */
class WaitingTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one");

    private final FakeLeaseManager fake = new FakeLeaseManager();

    @Test
    @DisplayName("HA-24: a release in the same process wakes the waiter at once")
    void localReleaseWakesAtOnce() throws InterruptedException {
        Lease holder = fake.acquire("one");
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(fake.leaseManager.waiting()).isEqualTo(1);
        long beganNanos = fake.clock.monotonicNanos();

        holder.close();
        fake.runtime.runDue();

        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(fake.clock.monotonicNanos()).isEqualTo(beganNanos);
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    void aThreadThatWaitsForTheLeaseThatItHoldsIsTold() throws InterruptedException {
        Lease held = fake.acquire("one");

        try (LogCapture log = new LogCapture()) {
            for (int i = 0; i < 2; i++) {
                assertThat(fake.leaseManager
                                .tryAcquire(ONE, Duration.ofSeconds(5))
                                .asOptional())
                        .isEmpty();
            }

            assertThat(log.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(
                            "lease 'one'",
                            "token 1",
                            "'" + Thread.currentThread().getName() + "' waits",
                            "holds itself");
        }
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void nobodyElseIsToldThatItWaitsForItself() throws Exception {
        Lease closed = fake.acquire("one");
        closed.close();
        CompletableFuture<Acquisition> other = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runDue();
        assertThat(other).isCompleted();

        try (LogCapture log = new LogCapture()) {
            assertThat(fake.leaseManager.tryAcquire(ONE, Duration.ofSeconds(5)).asOptional())
                    .isEmpty();
            assertThat(fake.leaseManager.tryAcquire(ONE, Duration.ZERO).asOptional())
                    .isEmpty();

            assertThat(log.messages(Level.WARN)).isEmpty();
        }
    }

    @Test
    @DisplayName("HA-24: a release elsewhere is told by the stream of changes")
    void changeWakes() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);

        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-24: who is told that a lease is vacant claims it by what was told, and asks no more")
    void changeBringsTheVacantDocument() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.operations.script(operation -> {
            assertThat(fake.operations.heardOf()).containsExactly("one");
            fake.operations.answer(operation);
        });
        fake.runtime.runFor(SECOND);

        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.changes.tell(new LeaseChange.Freed("two"));
        fake.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
        assertThat(fake.operations.heardOf()).as("nobody waits for the other").containsExactly("one");
    }

    @Test
    @DisplayName(
            "HA-24: the end of a writer, as the stream tells it, wakes those who wait for a lease of a session in its"
                    + " partition")
    void endOfAWriterWakes() {
        fake.operations.keptByASession("one", "h2");
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);

        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.WriterGone(FakeOperations.NAMESPACE + "~1", "b-1"));
        fake.runtime.runFor(SECOND / 100);
        assertThat(waiting).as("a lease of another partition").isNotDone();

        fake.changes.tell(new LeaseChange.WriterGone(FakeOperations.NAMESPACE, "b-1"));
        fake.runtime.runFor(SECOND / 100);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-25, HA-28: at the bound itself not yet; one nanosecond later it is acquired")
    void actsOneNanosecondAfterTheBound() {
        fake.operations.heldByAnother("one", "h2", 63 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);

        fake.runtime.runFor(63 * SECOND);
        assertThat(waiting).isNotDone();

        fake.runtime.runFor(1);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-26: a wait that is over ends with how the lease stood at the last poll")
    void waitEnds() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, Duration.ofSeconds(20));

        fake.runtime.runFor(20 * SECOND - 1);
        assertThat(waiting).isNotDone();
        fake.runtime.runFor(1);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("HA-26: a trouble that was over by the last poll is not what the end of the wait tells of")
    void refusalBehindATroubleIsTheLastWord() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, Duration.ofSeconds(20));

        fake.runtime.runFor(20 * SECOND);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName("HA-26: who leaves while its attempt is under way makes room for the next in line at once")
    void whoLeavesAnAttemptMakesRoomForTheNext() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = fake.waits(ONE, Duration.ofSeconds(2));
        CompletableFuture<Acquisition> second = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);
        fake.operations.vacate("one");
        fake.operations.script(operation -> {});
        fake.changes.tell(new LeaseChange.Freed("one"));

        fake.runtime.runFor(SECOND);
        assertThat(first.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(second).isDone();
        assertThat(second.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName(
            "G8: who came after an attempt had begun is not answered by its refusal, which may rest on what was before")
    void refusalOfAnEarlierAttemptDoesNotAnswerWhoCameLater() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(open::set);
        fake.operations.script(operation -> {});
        fake.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> later = fake.waits(ONE, Duration.ZERO);

        fake.operations.answer(open.get());
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Acquire.class))
                .as("a poll for the waiter that came later")
                .hasSize(2);
        assertThat(later).isNotDone();
    }

    @Test
    @DisplayName("HA-26: when the wait ends while a commit is on its way, its outcome counts")
    void commitUnderWayAtTheEndOfTheWaitCounts() throws InterruptedException {
        Lease holder = fake.acquire("one");
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, Duration.ofSeconds(2));
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(fake.operations::answer);
        fake.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
        });
        holder.close();
        fake.runtime.runFor(3 * SECOND);
        assertThat(waiting).isNotDone();

        fake.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "a-1/2", 2));
        fake.runtime.runDue();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-27: what no change tells of is noticed by a poll now and then")
    void pollNotices() {
        fake.operations.heldByAnother("one", "h2", null);
        fake.operations.heldByAnother("two", "h2", null);
        CompletableFuture<Acquisition> one = fake.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> two = fake.waits(LeaseRequest.of("two"), FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);

        fake.operations.vacate("one");
        fake.runtime.runFor(5 * SECOND);

        assertThat(one.join().asOptional()).isPresent();
        assertThat(two).isNotDone();
        assertThat(fake.operations.polls()).containsExactly(Set.of("one", "two"));
    }

    @Test
    @DisplayName("G7: a waiter for a session polls when its next heartbeat is due, so that its end is certain soon")
    void sessionIsPolledWhenItsHeartbeatIsDue() {
        fake.operations.keptByASession("one", "h2");
        fake.operations.pollsAgainAfter(SECOND);
        fake.waits(ONE, FakeLeaseManager.HOUR);

        fake.runtime.runFor(SECOND / 10 - 1);
        assertThat(fake.operations.polls()).isEmpty();
        fake.runtime.runFor(1);
        assertThat(fake.operations.polls()).containsExactly(Set.of("one"));
        fake.runtime.runFor(SECOND - 1);
        assertThat(fake.operations.polls()).hasSize(1);
        fake.runtime.runFor(1);
        assertThat(fake.operations.polls()).hasSize(2);
    }

    @Test
    void sessionIsPolledNowAndThenHoweverLateItsHeartbeatIsExpected() {
        fake.operations.keptByASession("one", "h2");
        fake.operations.pollsAgainAfter(60 * SECOND);
        fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(11 * SECOND);
        assertThat(fake.operations.polls()).hasSize(3);
    }

    @Test
    @DisplayName(
            "A lease that is looked at often is not read again before the last read is answered, so that renewals need not wait for more")
    void looksDoNotPileUpInFrontOfASlowDatabase() {
        fake.operations.keptByASession("one", "h2");
        fake.operations.nearTheHead();
        fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(4 * SECOND);
        assertThat(fake.operations.polls()).as("one look a second").hasSize(4);

        fake.operations.holdPolls();
        fake.runtime.runFor(60 * SECOND);
        assertThat(fake.operations.polls()).as("while it is not answered").hasSize(5);

        fake.operations.answerPolls();
        fake.runtime.runFor(SECOND);
        assertThat(fake.operations.polls()).hasSize(6);
    }

    @Test
    @DisplayName("Looks go on after one that has failed")
    void looksGoOnAfterAFailure() {
        fake.operations.keptByASession("one", "h2");
        fake.operations.nearTheHead();
        fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(2 * SECOND);
        int before = fake.operations.polls().size();

        fake.operations.failPolls(2);
        fake.runtime.runFor(4 * SECOND);

        assertThat(fake.operations.polls()).hasSize(before + 4);
    }

    @Test
    void noPollIsMadeForASessionThatNobodyWaitsForAnyMore() {
        fake.operations.keptByASession("one", "h2");
        fake.operations.pollsAgainAfter(SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND / 2);
        fake.operations.vacate("one");
        fake.runtime.runFor(SECOND);
        assertThat(waiting).isDone();

        fake.runtime.runFor(60 * SECOND);
        assertThat(fake.operations.polls()).hasSize(2);
    }

    @Test
    void whoCameFirstIsServedFirst() {
        fake.operations.heldByAnother("one", "h2", 60 * SECOND);
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(fake.waits(ONE, FakeLeaseManager.HOUR));
        }
        fake.runtime.runFor(60 * SECOND + 1);

        for (int i = 0; i < 5; i++) {
            assertThat(waiting.get(i)).as("waiter " + i).isDone();
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
            waiting.get(i).join().orElseThrow().close();
            fake.runtime.runDue();
        }
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    void oneWhoDoesNotWaitDoesNotOvertakeThoseWhoDo() {
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.operations.vacate("one");

        CompletableFuture<Acquisition> second = fake.waits(ONE, Duration.ZERO);

        assertThat(first.join().asOptional()).isPresent();
        assertThat(second.join().asOptional()).isEmpty();
    }

    @Test
    void thousandsWaitWithoutAThreadAndAFewOperations() {
        for (int i = 0; i < 50; i++) {
            fake.operations.heldByAnother("lease " + i, "h2", 3600 * SECOND);
        }
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            waiting.add(fake.leaseManager
                    .tryAcquireAsync(LeaseRequest.of("lease " + i % 50), Duration.ofMinutes(10))
                    .toCompletableFuture());
        }
        fake.runtime.runFor(SECOND);
        assertThat(fake.leaseManager.waiting()).isEqualTo(5000);
        assertThat(fake.operations.sent()).hasSizeLessThan(5 * 50);

        fake.runtime.runFor(600 * SECOND);
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isInstanceOf(Acquisition.NotAcquired.class));
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    void withdrawnWaiterMakesRoomForTheNext() throws InterruptedException {
        Lease holder = fake.acquire("one");
        CompletableFuture<Acquisition> first = fake.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> second = fake.waits(ONE, FakeLeaseManager.HOUR);
        first.cancel(false);
        holder.close();
        fake.runtime.runDue();

        assertThat(second.join().asOptional()).isPresent();
        assertThat(fake.leaseManager.held()).isEqualTo(1);
    }

    @Test
    void unreachableDatabaseIsTriedAgainWhileTheWaitLasts() {
        for (int i = 0; i < 3; i++) {
            fake.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.MINUTE);
        assertThat(waiting).isNotDone();

        fake.runtime.runFor(2 * SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
        assertThat(fake.runtime.windowsNanos()).containsExactly(100_000_000L, 200_000_000L, 400_000_000L);
    }

    @Test
    void unreachableDatabaseIsThrownWhenTheWaitIsOver() {
        for (int i = 0; i < 1000; i++) {
            fake.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.MINUTE);
        fake.runtime.runFor(60 * SECOND);

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    void pinnedLeaseIsWaitedForWithoutEnd() {
        fake.operations.pin("one");
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(60 * SECOND);
        assertThat(waiting).isNotDone();
        assertThat(fake.operations.sent(Request.Acquire.class)).hasSizeLessThanOrEqualTo(2);

        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.runtime.runFor(SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void brokenWatchIsOpenedAnewAndAllWaitersPoll() {
        fake.operations.heldByAnother("one", "h2", null);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);
        fake.changes.fail(new LeaseUnavailableException("stream", null));
        fake.operations.vacate("one");
        fake.runtime.runFor(SECOND);

        assertThat(fake.changes.opened()).isEqualTo(2);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-34: a closed engine ends its waiters and leaves no thread")
    void closeEndsWaiters() throws InterruptedException {
        fake.acquire(LeaseRequest.of("two").term(FakeLeaseManager.MINUTE));
        fake.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);

        CompletableFuture<Void> closed = fake.leaseManager.close(true);
        fake.runtime.runDue();

        assertThat(closed).isDone();
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseEngineClosedException.class);
        assertThat(fake.waits(ONE, FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(fake.operations.holding("two")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("Waiters that may and may not supersede the holder do not make each other poll without end")
    void supersedingInVainPollsOnceForEach() {
        Tenure elsewhere = new Tenure(FakeOperations.NAMESPACE, "one", "h", 7);
        for (int poll = 0; poll < 20; poll++) {
            fake.operations.script(operation -> OperationEnds.refuse(operation, heldThrough(elsewhere, operation)));
        }
        fake.operations.neverAnswer();

        fake.waits(ONE.holder("h2"), FakeLeaseManager.HOUR);
        fake.waits(ONE.holder("h").supersede(true), FakeLeaseManager.HOUR);

        assertThat(fake.operations.sent(Request.Acquire.class))
                .hasSizeLessThan(6)
                .as("the refusal of the one is no answer about the other")
                .anyMatch(Request.Acquire::supersede);
    }

    /** The watch begins with the first waiter, and all poll once more when it does. */
    private void watchHasBegun() {
        fake.operations.heldByAnother("two", "h2", null);
        fake.waits(LeaseRequest.of("two"), FakeLeaseManager.HOUR);
        fake.runtime.runFor(SECOND);
    }

    @Test
    @DisplayName("HA-25: a bound that has passed by the time the refusal is heard: acquired at once")
    void boundThatHasPassedWhenTheRefusalIsHeardIsActedOnAtOnce() {
        watchHasBegun();
        fake.operations.heldByAnother("one", "h2", SECOND);
        fake.operations.script(operation -> {
            fake.operations.answer(operation);
            fake.clock.advance(SECOND + 1);
        });

        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);

        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("An engine's own session counts as active past its bound, and is not polled without end")
    void boundOfASessionThatHasPassedIsNotActedOnAtOnce() {
        watchHasBegun();
        fake.operations.script(operation -> OperationEnds.refuse(
                operation,
                new Refusal(
                        operation.request().describe(),
                        Refusal.Reason.HELD,
                        new LeaseState.Held(
                                new Tenure(FakeOperations.NAMESPACE, "one", "h2", 1),
                                LeaseStatus.ACTIVE,
                                LocalInstant.of(fake.clock.wallNanos() - SECOND),
                                Instant.EPOCH,
                                null,
                                true,
                                Set.of()))));
        fake.operations.neverAnswer();

        fake.waits(ONE, FakeLeaseManager.HOUR);

        assertThat(fake.operations.sent(Request.Acquire.class))
                .filteredOn(request -> request.name().equals("one"))
                .hasSize(1);
    }

    private static Refusal heldThrough(Tenure elsewhere, PendingOperation asked) {
        LeaseState state =
                new LeaseState.Held(elsewhere, LeaseStatus.ACTIVE, null, Instant.EPOCH, null, true, Set.of());
        return new Refusal(asked.request().describe(), Refusal.Reason.HELD, state);
    }

    @Test
    void patienceThatWasNotNeededLeavesNothingBehind() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            fake.leaseManager
                    .tryAcquire(ONE, Duration.ofDays(365))
                    .orElseThrow()
                    .close();
            fake.runtime.runFor(60 * SECOND);
        }

        assertThat(fake.runtime.tasksWaiting()).isLessThan(10);
    }
}
