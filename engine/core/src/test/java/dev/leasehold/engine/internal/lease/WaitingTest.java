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
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.time.LocalInstant;
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

    private final FakeLeaseManager hand = new FakeLeaseManager();

    @Test
    @DisplayName("HA-24: a release in the same process wakes the waiter at once")
    void localReleaseWakesAtOnce() throws InterruptedException {
        Lease holder = hand.acquire("one");
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(hand.leaseManager.waiting()).isEqualTo(1);
        long beganNanos = hand.clock.monotonicNanos();

        holder.close();
        hand.runtime.runDue();

        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(hand.clock.monotonicNanos()).isEqualTo(beganNanos);
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    void aThreadThatWaitsForTheLeaseThatItHoldsIsTold() throws InterruptedException {
        Lease held = hand.acquire("one");

        try (LogCapture log = new LogCapture()) {
            for (int i = 0; i < 2; i++) {
                assertThat(hand.leaseManager
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
        Lease closed = hand.acquire("one");
        closed.close();
        CompletableFuture<Acquisition> other = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runDue();
        assertThat(other).isCompleted();

        try (LogCapture log = new LogCapture()) {
            assertThat(hand.leaseManager.tryAcquire(ONE, Duration.ofSeconds(5)).asOptional())
                    .isEmpty();
            assertThat(hand.leaseManager.tryAcquire(ONE, Duration.ZERO).asOptional())
                    .isEmpty();

            assertThat(log.messages(Level.WARN)).isEmpty();
        }
    }

    @Test
    @DisplayName("HA-24: a release elsewhere is told by the stream of changes")
    void changeWakes() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);

        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-24: who is told that a lease is vacant claims it by what was told, and asks no more")
    void changeBringsTheVacantDocument() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.operations.script(operation -> {
            assertThat(hand.operations.heardOf()).containsExactly("one");
            hand.operations.answer(operation);
        });
        hand.runtime.runFor(SECOND);

        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.changes.tell(new LeaseChange.Freed("two"));
        hand.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
        assertThat(hand.operations.heardOf()).as("nobody waits for the other").containsExactly("one");
    }

    @Test
    @DisplayName(
            "HA-24: the end of a writer, as the stream tells it, wakes those who wait for a lease of a session in its partition")
    void endOfAWriterWakes() {
        hand.operations.keptByASession("one", "h2");
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);

        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.WriterGone(FakeOperations.NAMESPACE + "~1", "b-1"));
        hand.runtime.runFor(SECOND / 100);
        assertThat(waiting).as("a lease of another partition").isNotDone();

        hand.changes.tell(new LeaseChange.WriterGone(FakeOperations.NAMESPACE, "b-1"));
        hand.runtime.runFor(SECOND / 100);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-25, HA-28: at the bound itself not yet; one nanosecond later it is acquired")
    void actsOneNanosecondAfterTheBound() {
        hand.operations.heldByAnother("one", "h2", 63 * SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);

        hand.runtime.runFor(63 * SECOND);
        assertThat(waiting).isNotDone();

        hand.runtime.runFor(1);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-26: a wait that is over ends with how the lease stood at the last look")
    void waitEnds() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, Duration.ofSeconds(20));

        hand.runtime.runFor(20 * SECOND - 1);
        assertThat(waiting).isNotDone();
        hand.runtime.runFor(1);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("HA-26: a trouble that was over by the last look is not what the end of the wait tells of")
    void refusalBehindATroubleIsTheLastWord() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, Duration.ofSeconds(20));

        hand.runtime.runFor(20 * SECOND);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName("HA-26: who leaves while its attempt is under way makes room for the next in line at once")
    void whoLeavesAnAttemptMakesRoomForTheNext() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = hand.waits(ONE, Duration.ofSeconds(2));
        CompletableFuture<Acquisition> second = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);
        hand.operations.vacate("one");
        hand.operations.script(operation -> {});
        hand.changes.tell(new LeaseChange.Freed("one"));

        hand.runtime.runFor(SECOND);
        assertThat(first.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(second).isDone();
        assertThat(second.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName(
            "G8: who came after an attempt had begun is not answered by its refusal, which may rest on what was before")
    void refusalOfAnEarlierAttemptDoesNotAnswerWhoCameLater() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(open::set);
        hand.operations.script(operation -> {});
        hand.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> later = hand.waits(ONE, Duration.ZERO);

        hand.operations.answer(open.get());
        hand.runtime.runDue();

        assertThat(hand.operations.sent(Request.Acquire.class))
                .as("a look for the one who came later")
                .hasSize(2);
        assertThat(later).isNotDone();
    }

    @Test
    @DisplayName("HA-26: when the wait ends while a commit is on its way, its outcome counts")
    void commitUnderWayAtTheEndOfTheWaitCounts() throws InterruptedException {
        Lease holder = hand.acquire("one");
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, Duration.ofSeconds(2));
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(hand.operations::answer);
        hand.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
        });
        holder.close();
        hand.runtime.runFor(3 * SECOND);
        assertThat(waiting).isNotDone();

        hand.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "a-1/2", 2));
        hand.runtime.runDue();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-27: what nobody tells of is noticed by a look now and then")
    void lookoutNotices() {
        hand.operations.heldByAnother("one", "h2", null);
        hand.operations.heldByAnother("two", "h2", null);
        CompletableFuture<Acquisition> one = hand.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> two = hand.waits(LeaseRequest.of("two"), FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);

        hand.operations.vacate("one");
        hand.runtime.runFor(5 * SECOND);

        assertThat(one.join().asOptional()).isPresent();
        assertThat(two).isNotDone();
        assertThat(hand.operations.looks()).containsExactly(Set.of("one", "two"));
    }

    @Test
    @DisplayName("G7: who waits for a session looks when its next heartbeat is due, so that its end is certain soon")
    void sessionIsLookedAtWhenItsHeartbeatIsDue() {
        hand.operations.keptByASession("one", "h2");
        hand.operations.looksAgainAfter(SECOND);
        hand.waits(ONE, FakeLeaseManager.HOUR);

        hand.runtime.runFor(SECOND / 10 - 1);
        assertThat(hand.operations.looks()).isEmpty();
        hand.runtime.runFor(1);
        assertThat(hand.operations.looks()).containsExactly(Set.of("one"));
        hand.runtime.runFor(SECOND - 1);
        assertThat(hand.operations.looks()).hasSize(1);
        hand.runtime.runFor(1);
        assertThat(hand.operations.looks()).hasSize(2);
    }

    @Test
    void sessionIsLookedAtNowAndThenHoweverLateItsHeartbeatIsExpected() {
        hand.operations.keptByASession("one", "h2");
        hand.operations.looksAgainAfter(60 * SECOND);
        hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(11 * SECOND);
        assertThat(hand.operations.looks()).hasSize(3);
    }

    @Test
    void noLookIsMadeForASessionThatNobodyWaitsForAnyMore() {
        hand.operations.keptByASession("one", "h2");
        hand.operations.looksAgainAfter(SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND / 2);
        hand.operations.vacate("one");
        hand.runtime.runFor(SECOND);
        assertThat(waiting).isDone();

        hand.runtime.runFor(60 * SECOND);
        assertThat(hand.operations.looks()).hasSize(2);
    }

    @Test
    void whoCameFirstIsServedFirst() {
        hand.operations.heldByAnother("one", "h2", 60 * SECOND);
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(hand.waits(ONE, FakeLeaseManager.HOUR));
        }
        hand.runtime.runFor(60 * SECOND + 1);

        for (int i = 0; i < 5; i++) {
            assertThat(waiting.get(i)).as("waiter " + i).isDone();
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
            waiting.get(i).join().orElseThrow().close();
            hand.runtime.runDue();
        }
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    void oneWhoDoesNotWaitDoesNotOvertakeThoseWhoDo() {
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.operations.vacate("one");

        CompletableFuture<Acquisition> second = hand.waits(ONE, Duration.ZERO);

        assertThat(first.join().asOptional()).isPresent();
        assertThat(second.join().asOptional()).isEmpty();
    }

    @Test
    void thousandsWaitWithoutAThreadAndAFewOperations() {
        for (int i = 0; i < 50; i++) {
            hand.operations.heldByAnother("lease " + i, "h2", 3600 * SECOND);
        }
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            waiting.add(hand.leaseManager
                    .tryAcquireAsync(LeaseRequest.of("lease " + i % 50), Duration.ofMinutes(10))
                    .toCompletableFuture());
        }
        hand.runtime.runFor(SECOND);
        assertThat(hand.leaseManager.waiting()).isEqualTo(5000);
        assertThat(hand.operations.sent()).hasSizeLessThan(5 * 50);

        hand.runtime.runFor(600 * SECOND);
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isInstanceOf(Acquisition.NotAcquired.class));
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    void withdrawnWaiterMakesRoomForTheNext() throws InterruptedException {
        Lease holder = hand.acquire("one");
        CompletableFuture<Acquisition> first = hand.waits(ONE, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> second = hand.waits(ONE, FakeLeaseManager.HOUR);
        first.cancel(false);
        holder.close();
        hand.runtime.runDue();

        assertThat(second.join().asOptional()).isPresent();
        assertThat(hand.leaseManager.held()).isEqualTo(1);
    }

    @Test
    void unreachableDatabaseIsTriedAgainWhileTheWaitLasts() {
        for (int i = 0; i < 3; i++) {
            hand.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.MINUTE);
        assertThat(waiting).isNotDone();

        hand.runtime.runFor(2 * SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
        assertThat(hand.runtime.windowsNanos()).containsExactly(100_000_000L, 200_000_000L, 400_000_000L);
    }

    @Test
    void unreachableDatabaseIsThrownWhenTheWaitIsOver() {
        for (int i = 0; i < 1000; i++) {
            hand.operations.script(
                    operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        }
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.MINUTE);
        hand.runtime.runFor(60 * SECOND);

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    void pinnedLeaseIsWaitedForWithoutEnd() {
        hand.operations.pin("one");
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(60 * SECOND);
        assertThat(waiting).isNotDone();
        assertThat(hand.operations.sent(Request.Acquire.class)).hasSizeLessThanOrEqualTo(2);

        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.runtime.runFor(SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void handOverIsMeasuredFromTheNewsToTheGrant() throws InterruptedException {
        Lease holder = hand.acquire("one");
        hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.operations.script(hand.operations::answer);
        hand.operations.script(operation -> {
            hand.clock.advance(5);
            hand.operations.answer(operation);
        });
        holder.close();
        hand.runtime.runDue();

        assertThat(hand.meters.events()).contains(new HandedOver(5));
    }

    @Test
    void brokenWatchIsOpenedAnewAndEverybodyLooks() {
        hand.operations.heldByAnother("one", "h2", null);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);
        hand.changes.fail(new LeaseUnavailableException("stream", null));
        hand.operations.vacate("one");
        hand.runtime.runFor(SECOND);

        assertThat(hand.changes.opened()).isEqualTo(2);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-34: a closed engine ends its waiters and leaves no thread")
    void closeEndsWaiters() throws InterruptedException {
        hand.acquire(LeaseRequest.of("two").term(FakeLeaseManager.MINUTE));
        hand.operations.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);

        CompletableFuture<Void> closed = hand.leaseManager.close();
        hand.runtime.runDue();

        assertThat(closed).isDone();
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseEngineClosedException.class);
        assertThat(hand.waits(ONE, FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(hand.operations.holding("two")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("Who may supersede the holder and who may not do not send each other to look without end")
    void whoSupersedesInVainLooksOnceForEach() {
        Tenure elsewhere = new Tenure(FakeOperations.NAMESPACE, "one", "h", 7);
        for (int look = 0; look < 20; look++) {
            hand.operations.script(operation -> OperationEnds.refuse(operation, heldThrough(elsewhere, operation)));
        }
        hand.operations.neverAnswer();

        hand.waits(ONE.holder("h2"), FakeLeaseManager.HOUR);
        hand.waits(ONE.holder("h").supersede(true), FakeLeaseManager.HOUR);

        assertThat(hand.operations.sent(Request.Acquire.class))
                .hasSizeLessThan(6)
                .as("the refusal of the one is no answer about the other")
                .anyMatch(Request.Acquire::supersede);
    }

    /** The watch begins with the first who waits, and everybody looks once more when it does. */
    private void watchHasBegun() {
        hand.operations.heldByAnother("two", "h2", null);
        hand.waits(LeaseRequest.of("two"), FakeLeaseManager.HOUR);
        hand.runtime.runFor(SECOND);
    }

    @Test
    @DisplayName("HA-25: a bound that has passed by the time the refusal is heard: acquired at once")
    void boundThatHasPassedWhenTheRefusalIsHeardIsActedOnAtOnce() {
        watchHasBegun();
        hand.operations.heldByAnother("one", "h2", SECOND);
        hand.operations.script(operation -> {
            hand.operations.answer(operation);
            hand.clock.advance(SECOND + 1);
        });

        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);

        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("An engine's own session counts as active past its bound, and is not looked at without end")
    void boundOfASessionThatHasPassedIsNotActedOnAtOnce() {
        watchHasBegun();
        hand.operations.script(operation -> OperationEnds.refuse(
                operation,
                new Refusal(
                        operation.request().describe(),
                        Refusal.Reason.HELD,
                        new LeaseState.Held(
                                new Tenure(FakeOperations.NAMESPACE, "one", "h2", 1),
                                LeaseStatus.ACTIVE,
                                LocalInstant.of(hand.clock.wallNanos() - SECOND),
                                Instant.EPOCH,
                                null,
                                true,
                                Set.of()))));
        hand.operations.neverAnswer();

        hand.waits(ONE, FakeLeaseManager.HOUR);

        assertThat(hand.operations.sent(Request.Acquire.class))
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
            hand.leaseManager
                    .tryAcquire(ONE, Duration.ofDays(365))
                    .orElseThrow()
                    .close();
            hand.runtime.runFor(60 * SECOND);
        }

        assertThat(hand.runtime.tasksWaiting()).isLessThan(10);
    }
}
