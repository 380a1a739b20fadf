package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a lease is waited for that others hold, and what wakes which waiter. */
class WaitingTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one");

    private final SteppedLeases a = new SteppedLeases();

    @Test
    @DisplayName("HA-24: a release in the same process wakes the waiter at once")
    void localReleaseWakesAtOnce() throws InterruptedException {
        Lease holder = a.acquire("one");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        assertThat(a.leaseManager.waiting()).isEqualTo(1);
        long beganNanos = a.clock.monotonicNanos();

        holder.close();
        a.runtime.runDue();

        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(a.clock.monotonicNanos()).isEqualTo(beganNanos);
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    void aThreadThatWaitsForTheLeaseThatItHoldsIsTold() throws InterruptedException {
        Lease held = a.acquire("one");

        try (LogCapture log = new LogCapture()) {
            for (int i = 0; i < 2; i++) {
                assertThat(a.leaseManager.tryAcquire(ONE, Duration.ofSeconds(5)).asOptional())
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
    void noOtherIsToldThatItWaitsForItself() throws Exception {
        Lease closed = a.acquire("one");
        closed.close();
        CompletableFuture<Acquisition> other = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runDue();
        assertThat(other).isCompleted();

        try (LogCapture log = new LogCapture()) {
            assertThat(a.leaseManager.tryAcquire(ONE, Duration.ofSeconds(5)).asOptional())
                    .isEmpty();
            assertThat(a.leaseManager.tryAcquire(ONE, Duration.ZERO).asOptional())
                    .isEmpty();

            assertThat(log.messages(Level.WARN)).isEmpty();
        }
    }

    @Test
    @DisplayName("HA-24: a release elsewhere is told by the stream of changes")
    void changeWakes() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);

        a.free("one");
        a.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-24: what is told that a lease is vacant claims it by what was told, and asks no more")
    void changeBringsTheVacantDocument() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);
        int reads = a.store.reads().size();

        a.vacate("one");
        a.vacate("two");
        a.changes.tell(new LeaseChange.Freed("one", a.store.document("one")));
        a.changes.tell(new LeaseChange.Freed("two", a.store.document("two")));
        a.runtime.runFor(SECOND / 100);

        assertThat(waiting.join().asOptional()).isPresent();
        assertThat(a.store.reads()).hasSize(reads);
    }

    @Test
    @DisplayName(
            "HA-24: the end of a writer, as the stream tells it, wakes those that wait for a lease of a session in its"
                    + " partition")
    void endOfAWriterWakes() {
        a.keptByASession("one", "h2");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);

        a.store.removeWriter(SteppedLeases.OTHER);
        a.changes.tell(new LeaseChange.WriterGone(SteppedLeases.NAMESPACE + "~1", SteppedLeases.OTHER));
        a.runtime.runFor(SECOND / 100);
        assertThat(waiting).as("a lease of another partition").isNotDone();

        a.changes.tell(new LeaseChange.WriterGone(SteppedLeases.NAMESPACE, SteppedLeases.OTHER));
        a.runtime.runFor(SECOND / 100);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-25, HA-28: at the bound itself not yet; one nanosecond later it is acquired")
    void actsOneNanosecondAfterTheBound() {
        a.heldByAnother("one", "h2", 63 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);

        a.runtime.runFor(63 * SECOND);
        assertThat(waiting).isNotDone();

        a.runtime.runFor(1);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-26: a wait that is over ends with how the lease stood at the last poll")
    void waitEnds() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, Duration.ofSeconds(20));

        a.runtime.runFor(20 * SECOND - 1);
        assertThat(waiting).isNotDone();
        a.runtime.runFor(1);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("HA-26: a trouble that was over by the last poll is not what the end of the wait tells of")
    void refusalBehindATroubleIsTheLastWord() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        a.store.fail(new LeaseUnavailableException("no database", null));
        CompletableFuture<Acquisition> waiting = a.waits(ONE, Duration.ofSeconds(20));
        a.runtime.runFor(SteppedLeases.BUDGET + SECOND);
        assertThat(a.sent(Request.Acquire.class)).as("after one has failed").hasSize(2);
        a.store.failNoMore();

        a.runtime.runFor(20 * SECOND);
        assertThat(waiting.join()).isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    @DisplayName("HA-26: what leaves while its attempt is under way makes room for the next in line at once")
    void waiterThatLeavesAnAttemptMakesRoomForTheNext() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = a.waits(ONE, Duration.ofSeconds(2));
        CompletableFuture<Acquisition> second = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);
        a.store.onRead(() -> {
            a.runtime.runFor(SECOND);
            assertThat(first.join()).isInstanceOf(Acquisition.NotAcquired.class);
        });
        a.free("one");

        a.runtime.runFor(SECOND);
        assertThat(second).isDone();
        assertThat(second.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName(
            "G8: what came after an attempt had begun is not answered by its refusal, which may rest on what was before")
    void refusalOfAnEarlierAttemptDoesNotAnswerOneThatCameLater() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        List<CompletableFuture<Acquisition>> later = new ArrayList<>();
        a.store.onRead(() -> later.add(a.waits(ONE, Duration.ZERO)), () -> a.vacate("one"));
        Lease first = a.waits(ONE, SteppedLeases.HOUR).join().orElseThrow();

        assertThat(later.get(0).join())
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().state())
                                .isInstanceOfSatisfying(
                                        LeaseState.Held.class,
                                        held -> assertThat(held.tenure()).isEqualTo(first.tenure())));
    }

    @Test
    @DisplayName("HA-26: when the wait ends while a commit is on its way, its outcome counts")
    void commitUnderWayAtTheEndOfTheWaitCounts() throws InterruptedException {
        Lease holder = a.acquire("one");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, Duration.ofSeconds(2));
        a.store.onWrite(Write::send, write -> {
            a.runtime.runFor(3 * SECOND);
            assertThat(waiting).isNotDone();
            return write.send();
        });
        holder.close();
        a.runtime.runFor(3 * SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-27: what no change tells of is noticed by a poll now and then")
    void pollNotices() {
        a.heldByAnother("one", "h2");
        a.heldByAnother("two", "h2");
        CompletableFuture<Acquisition> one = a.waits(ONE, SteppedLeases.HOUR);
        CompletableFuture<Acquisition> two = a.waits(LeaseRequest.of("two"), SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);

        a.vacate("one");
        a.runtime.runFor(5 * SECOND);

        assertThat(one.join().asOptional()).isPresent();
        assertThat(two).isNotDone();
        assertThat(a.polls()).containsExactly(Set.of("one", "two"));
    }

    @Test
    @DisplayName("G7: a waiter for a session polls when its next heartbeat is due, so that its end is certain soon")
    void sessionIsPolledWhenItsHeartbeatIsDue() {
        a.keptByASession("one", "h2");
        a.waits(ONE, SteppedLeases.HOUR);

        a.runtime.runFor(SECOND / 10 - 1);
        assertThat(a.polls()).isEmpty();
        a.runtime.runFor(1);
        assertThat(a.polls()).containsExactly(Set.of("one"));
        a.runtime.runFor(SteppedLeases.SESSION / 16 - 1);
        assertThat(a.polls()).hasSize(1);
        a.runtime.runFor(1);
        assertThat(a.polls()).hasSize(2);
    }

    @Test
    @DisplayName(
            "A lease that is looked at often is not read again before the last read is answered, so that renewals need not wait for more")
    void looksDoNotPileUpInFrontOfASlowDatabase() {
        SteppedLeases queued = nearTheHead();
        int before = queued.polls().size();
        queued.runtime.runFor(4 * SECOND);
        assertThat(queued.polls()).as("one look a second").hasSize(before + 4);

        queued.whileUnanswered(() -> queued.runtime.runFor(60 * SECOND));
        assertThat(queued.polls()).as("while it is not answered").hasSize(before + 5);

        queued.runtime.runFor(SECOND);
        assertThat(queued.polls()).hasSize(before + 6);
    }

    @Test
    @DisplayName("Looks go on after one that has failed")
    void looksGoOnAfterAFailure() {
        SteppedLeases queued = nearTheHead();
        int before = queued.polls().size();

        queued.failReads(2);
        queued.runtime.runFor(4 * SECOND);

        assertThat(queued.polls()).hasSize(before + 4);
    }

    @Test
    @DisplayName(
            "Heartbeats are sent often for six seconds after a look at the queue, and no longer because of a pause behind the look")
    void heartbeatsAreSentOftenSinceTheLook() {
        SteppedLeases queued = nearTheHead();
        int before = queued.store.clockWrites().size();
        queued.store.onRead(() -> queued.clock.advance(7 * SECOND));
        queued.failReads(100);

        queued.runtime.runFor(SECOND);
        queued.runtime.runFor(SteppedLeases.SESSION / 3 - SECOND);

        assertThat(queued.store.clockWrites())
                .as("a heartbeat period after the last one")
                .hasSize(before + 1);
    }

    @Test
    @DisplayName("An engine that waits for a thousand leases sends a ticket for each, and none again")
    void noTicketIsSentAgainForAThousandLeases() {
        SteppedLeases queued = SteppedLeases.withTickets();
        for (int i = 0; i < 1_000; i++) {
            queued.keptByALongSession("lease " + i, "h2");
            queued.leaseManager.tryAcquireAsync(LeaseRequest.of("lease " + i), SteppedLeases.HOUR);
        }

        queued.runtime.runFor(30 * SECOND);

        assertThat(queued.polls()).as("of all together").anyMatch(names -> names.size() == 1_000);
        assertThat(queued.sent(Request.Enqueue.class)).hasSize(1_000);
    }

    @Test
    @DisplayName("A ticket whose lease was not read behind its withdrawal is read again, and forgotten")
    void withdrawnTicketIsForgottenThoughAReadHasFailed() {
        SteppedLeases queued = SteppedLeases.withTickets();
        queued.keptByALongSession("one", "h2");
        CompletableFuture<Acquisition> waiting = queued.waits(ONE, SteppedLeases.HOUR);
        assertThat(queued.meters.tickets()).isEqualTo(1);

        queued.failReads(1);
        waiting.cancel(false);
        queued.runtime.runFor(SECOND);
        assertThat(queued.sent(Request.Withdraw.class)).hasSize(1);
        assertThat(queued.meters.tickets()).as("the lease is still held").isEqualTo(1);
        queued.vacate("one");
        queued.runtime.runFor(60 * SECOND);

        assertThat(queued.meters.tickets()).isZero();
    }

    @Test
    @DisplayName("A ticket is looked at 2 s behind its withdrawal, also if another was withdrawn shortly before")
    void eachWithdrawnTicketIsLookedAtBehindItsOwnWithdrawal() {
        SteppedLeases queued = SteppedLeases.withTickets();
        queued.keptByALongSession("one", "h2");
        queued.keptByALongSession("two", "h2");
        CompletableFuture<Acquisition> one = queued.waits(ONE, SteppedLeases.HOUR);
        CompletableFuture<Acquisition> two = queued.waits(LeaseRequest.of("two"), SteppedLeases.HOUR);
        one.cancel(false);
        queued.runtime.runFor(SECOND * 3 / 2);
        two.cancel(false);
        queued.runtime.runFor(SECOND);
        assertThat(queued.meters.tickets()).isEqualTo(2);

        queued.vacate("two");
        queued.runtime.runFor(SECOND);

        assertThat(queued.meters.tickets()).as("the first lease is still held").isEqualTo(1);
    }

    @Test
    @DisplayName("The queue of a lease that is held here is read again after a read that has failed")
    void queueOfAHeldLeaseIsReadAgainAfterAFailure() throws InterruptedException {
        SteppedLeases queued = SteppedLeases.withTickets();
        queued.acquire("one");
        queued.runtime.runFor(2 * SECOND);
        queued.waitedForElsewhere("one", "waits", 0, SteppedLeases.SESSION);
        queued.failReads(2);
        queued.changes.tell(new LeaseChange.Queued("one"));
        queued.runtime.runFor(3 * SECOND);
        int before = queued.polls().size();

        queued.runtime.runFor(3 * SECOND);

        assertThat(queued.polls()).as("one read a second").hasSize(before + 3);
    }

    /** One whose ticket is the first in the queue of a lease that a long session keeps. */
    private static SteppedLeases nearTheHead() {
        SteppedLeases queued = SteppedLeases.withTickets();
        queued.keptByALongSession("one", "h2");
        queued.waits(ONE, SteppedLeases.HOUR);
        queued.runtime.runFor(6 * SECOND);
        return queued;
    }

    @Test
    @DisplayName(
            "A release reads the queue again if it was read long ago, as by a call of this engine that did not wait")
    void releaseReadsAnOldQueueAgain() throws InterruptedException {
        SteppedLeases queued = SteppedLeases.withTickets();
        queued.changes.failAlways(new LeaseStoreException("not allowed", null));
        Lease lease = queued.acquire("one");
        queued.waitedForElsewhere("one", "usual", 0, SteppedLeases.SESSION);
        queued.waits(ONE, Duration.ZERO);

        queued.waitedForElsewhere("one", "urgent", 5, SteppedLeases.SESSION);
        queued.runtime.runFor(2 * SECOND);
        lease.close();

        assertThat(queued.holding("one")).extracting(Tenure::holder).isEqualTo("urgent");
    }

    @Test
    @DisplayName("A waiter is passed over for the silence that was seen, and not for what came after the last look")
    void noLookIsNoSilence() throws InterruptedException {
        SteppedLeases queued = SteppedLeases.withTickets();
        Lease lease = queued.acquire("one");
        queued.waitedForElsewhere("one", "first", 0, SECOND);
        queued.waitedForElsewhere("one", "second", 0, SteppedLeases.SESSION);
        queued.waits(ONE, Duration.ZERO);

        queued.runtime.runFor(SECOND * 3 / 4);
        lease.close();

        assertThat(queued.holding("one")).extracting(Tenure::holder).isEqualTo("first");
    }

    @Test
    void noPollIsMadeForASessionThatNothingWaitsForAnyMore() {
        a.keptByASession("one", "h2");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND / 2);
        a.vacate("one");
        a.runtime.runFor(2 * SECOND);
        assertThat(waiting).isDone();

        a.runtime.runFor(60 * SECOND);
        assertThat(a.polls()).hasSize(2);
    }

    @Test
    void oneThatDoesNotWaitDoesNotOvertakeThoseThatDo() {
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> first = a.waits(ONE, SteppedLeases.HOUR);
        a.vacate("one");

        CompletableFuture<Acquisition> second = a.waits(ONE, Duration.ZERO);

        assertThat(first.join().asOptional()).isPresent();
        assertThat(second.join().asOptional()).isEmpty();
    }

    @Test
    void thousandsWaitWithoutAThreadAndAFewOperations() {
        for (int i = 0; i < 50; i++) {
            a.heldByAnother("lease " + i, "h2", 3600 * SECOND);
        }
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            waiting.add(a.asks(LeaseRequest.of("lease " + i % 50), Duration.ofMinutes(10)));
        }
        a.runtime.runFor(SECOND);
        assertThat(a.leaseManager.waiting()).isEqualTo(5000);
        assertThat(a.sent()).hasSizeLessThan(5 * 50);

        a.runtime.runFor(600 * SECOND);
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isInstanceOf(Acquisition.NotAcquired.class));
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    void unreachableDatabaseIsTriedAgainWhileTheWaitLasts() {
        a.store.fail(new LeaseUnavailableException("no database", null));
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.MINUTE);
        a.runtime.runFor(35 * SECOND);
        assertThat(waiting).isNotDone();
        assertThat(a.sent(Request.Acquire.class)).as("each has failed").hasSizeGreaterThan(2);

        a.store.failNoMore();
        a.runtime.runFor(5 * SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void unreachableDatabaseIsThrownWhenTheWaitIsOver() {
        a.store.fail(new LeaseUnavailableException("no database", null));
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.MINUTE);
        a.runtime.runFor(60 * SECOND);

        assertThatThrownBy(() -> waiting.getNow(null)).hasCauseInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    void pinnedLeaseIsWaitedForWithoutEnd() {
        a.pin("one");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(60 * SECOND);
        assertThat(waiting).isNotDone();
        assertThat(a.sent(Request.Acquire.class)).hasSizeLessThanOrEqualTo(2);

        a.free("one");
        a.runtime.runFor(SECOND);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void brokenWatchIsOpenedAnewAndAllWaitersPoll() {
        a.heldByAnother("one", "h2");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);
        a.changes.fail(new LeaseUnavailableException("stream", null));
        a.vacate("one");
        a.runtime.runFor(SECOND);

        assertThat(a.changes.opened()).isEqualTo(2);
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    @DisplayName("HA-34: a closed engine ends its waiters and leaves no thread")
    void closeEndsWaiters() throws InterruptedException {
        a.acquire(LeaseRequest.of("two").term(SteppedLeases.MINUTE));
        a.heldByAnother("one", "h2", 3600 * SECOND);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);

        CompletableFuture<Void> closed = a.leaseManager.close(true);
        a.runtime.runDue();

        assertThat(closed).isDone();
        assertThatThrownBy(() -> waiting.getNow(null)).hasCauseInstanceOf(LeaseEngineClosedException.class);
        assertThat(a.waits(ONE, SteppedLeases.HOUR)).isCompletedExceptionally();
        assertThat(a.holding("two")).isNull();
        assertThat(a.leaseManager.held()).isZero();
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    @DisplayName("Waiters that may and may not supersede the holder do not make each other poll without end")
    void supersedingInVainPollsOnceForEach() {
        a.pinnedFor("one", "h");

        a.waits(ONE.holder("h2"), SteppedLeases.HOUR);
        a.waits(ONE.holder("h").supersede(true), SteppedLeases.HOUR);

        assertThat(a.sent(Request.Acquire.class))
                .hasSizeLessThan(6)
                .as("the refusal of the one is no answer about the other")
                .anyMatch(Request.Acquire::supersede);
    }

    /** The watch begins with the first waiter, and all poll once more when it does. */
    private void watchHasBegun() {
        a.heldByAnother("two", "h2");
        a.waits(LeaseRequest.of("two"), SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);
    }

    @Test
    @DisplayName("HA-25: a bound that has passed by the time the refusal is heard: acquired at once")
    void boundThatHasPassedWhenTheRefusalIsHeardIsActedOnAtOnce() {
        watchHasBegun();
        a.heldByAnother("one", "h2", SECOND);
        // The thread of the loop hears what a round has for several; the next read comes before.
        a.store.onRead(
                () -> a.partition.reads().poll(Set.of("other"), a.clock().nowNanos() + SECOND),
                () -> a.clock.advance(SECOND + 1));
        a.leaseManager.tryAcquireAsync(LeaseRequest.of("other"), Duration.ZERO);
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);

        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void patienceThatWasNotNeededLeavesNothingBehind() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            a.leaseManager.tryAcquire(ONE, Duration.ofDays(365)).orElseThrow().close();
            a.runtime.runFor(60 * SECOND);
        }

        assertThat(a.runtime.tasksWaiting()).isLessThan(10);
    }
}
