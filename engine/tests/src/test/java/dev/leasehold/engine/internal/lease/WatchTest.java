package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.watch.ChangeWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When the stream of changes is open, what may be missed around that, and what the engine's own changes cost. */
class WatchTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final long MILLISECOND = SECOND / 1000;
    private static final LeaseRequest ONE = LeaseRequest.of("one");

    private final SteppedLeases a = new SteppedLeases();

    // ---- when it is open ----

    @Test
    void shortUncontendedHoldingsOpenNoStream() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            a.acquire("one").close();
            a.runtime.runFor(50 * MILLISECOND);
        }
        assertThat(a.changes.opened()).isZero();
        assertThat(a.sent()).hasSize(200);
        assertThat(a.polls()).isEmpty();
    }

    @Test
    void shortHoldingsOfManyLeasesAtOnceOpenNoStream() throws InterruptedException {
        Lease earlier = a.acquire("lease 0");
        for (int i = 1; i < 100; i++) {
            a.runtime.runFor(300 * MILLISECOND);
            Lease later = a.acquire("lease " + i);
            a.runtime.runFor(300 * MILLISECOND);
            earlier.close();
            earlier = later;
        }
        assertThat(a.changes.opened()).isZero();
    }

    @Test
    void refusalWithoutAWaitOpensNoStream() {
        a.heldByAnother("one", "h2");
        a.waits(ONE, Duration.ZERO);
        a.runtime.runFor(SECOND);
        assertThat(a.changes.opened()).isZero();
    }

    @Test
    void waiterHasItOpenedAtOnce() {
        a.heldByAnother("one", "h2");
        a.waits(ONE, SteppedLeases.HOUR);
        assertThat(a.changes.isOpen()).isTrue();
    }

    @Test
    void whatIsHeldForAWhileHasItOpened() throws InterruptedException {
        a.acquire("one");
        a.runtime.runFor(SECOND - 1);
        assertThat(a.changes.isOpen()).isFalse();
        a.runtime.runFor(SECOND);
        assertThat(a.changes.isOpen()).isTrue();
    }

    @Test
    void staysOpenForAWhileAfterTheLastNeed() throws InterruptedException {
        Lease lease = a.acquire("one");
        a.runtime.runFor(2 * SECOND);
        lease.close();

        a.runtime.runFor(ChangeWatcher.LINGER_NANOS - SECOND);
        assertThat(a.changes.isOpen()).isTrue();
        a.runtime.runFor(2 * SECOND);
        assertThat(a.changes.isOpen()).isFalse();
        assertThat(a.changes.opened()).isEqualTo(1);
    }

    @Test
    void anotherNeedMeanwhileKeepsItOpen() throws InterruptedException {
        a.heldByAnother("one", "h2", 2 * SECOND);
        CompletableFuture<Acquisition> first = a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(2 * SECOND + 1);
        first.join().orElseThrow().close();
        a.runtime.runFor(ChangeWatcher.LINGER_NANOS / 2);

        a.heldByAnother("one", "h2");
        a.waits(ONE, SteppedLeases.HOUR);
        a.runtime.runFor(2 * ChangeWatcher.LINGER_NANOS);

        assertThat(a.changes.isOpen()).isTrue();
        assertThat(a.changes.opened()).isEqualTo(1);
    }

    @Test
    void anotherNeedBeforeItIsClosedKeepsItReporting() throws InterruptedException {
        SteppedLeases a = SteppedLeases.withTickets();
        Lease lease = a.acquire("one");
        // Between two calls of the watcher.
        a.runtime.runFor(2 * SECOND + 2 * MILLISECOND);
        lease.close();
        a.runtime.runFor(ChangeWatcher.LINGER_NANOS + 1);
        Lease again = a.acquire("one");
        a.heldByAnother("two", "h2");
        a.waits(LeaseRequest.of("two"), SteppedLeases.HOUR);
        a.runtime.runFor(2 * SECOND);
        assertThat(a.changes.opened()).isEqualTo(1);
        int reads = a.store.reads().size();

        again.close();

        a.runtime.runFor(MILLISECOND);
        assertThat(a.store.reads())
                .as("what no change reports is read before a release")
                .hasSize(reads);
    }

    @Test
    void isOpenedAnewWhenItIsNeededAgainAfterItsEnd() {
        a.heldByAnother("one", "h2");
        a.waits(ONE, Duration.ofSeconds(1));
        a.runtime.runFor(2 * SECOND + ChangeWatcher.LINGER_NANOS);
        assertThat(a.changes.isOpen()).isFalse();

        a.waits(ONE, SteppedLeases.HOUR);
        assertThat(a.changes.isOpen()).isTrue();
        assertThat(a.changes.opened()).isEqualTo(2);
    }

    // ---- what happens before it begins ----

    @Test
    void releaseBetweenTheRefusalAndTheBeginOfTheStreamIsNotMissed() {
        a.heldByAnother("one", "h2");
        a.changes.whileOpening(() -> {
            a.free("one");
        });
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        assertThat(waiting).isCompleted();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void endOfATenureBeforeTheStreamBeginsIsNotMissed() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        a.acquire("one").onLost(loss -> reasons.add(loss.reason()));
        a.vacate("one");
        a.runtime.runFor(2 * SECOND);
        assertThat(reasons).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(a.polls()).containsExactly(Set.of("one"));
    }

    @Test
    void hintIsFollowedSoonThoughTheReadForAnotherLeaseHasFailed() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        a.acquire("one");
        a.acquire("two").onLost(loss -> reasons.add(loss.reason()));
        a.runtime.runFor(2 * SECOND);
        a.failReads(1);
        a.changes.tell(new LeaseChange.Freed("one", null));
        a.runtime.runFor(SECOND / 10);

        a.free("two");
        a.runtime.runFor(SECOND / 10);

        assertThat(reasons).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
    }

    // ---- what the engine's own changes cost ----

    @Test
    void ownReleaseOfALeaseThatIsHeldAgainCostsNoRead() throws InterruptedException {
        a.acquire("long");
        a.runtime.runFor(2 * SECOND);
        int polls = a.polls().size();
        for (int i = 0; i < 100; i++) {
            Lease lease = a.acquire("one");
            a.changes.tell(new LeaseChange.Freed("one", null));
            a.runtime.runFor(10 * MILLISECOND);
            lease.close();
        }
        a.runtime.runFor(SECOND);
        assertThat(a.changes.isOpen()).isTrue();
        assertThat(a.polls()).hasSize(polls);
    }

    @Test
    void ownReleaseToldLateWakesNothingWhileTheNextInLineHoldsTheLease() throws InterruptedException {
        Lease first = a.acquire("one");
        CompletableFuture<Acquisition> second = a.waits(ONE, SteppedLeases.HOUR);
        a.waits(ONE, SteppedLeases.HOUR);
        first.close();
        a.runtime.runDue();
        assertThat(second).isCompleted();
        int tries = a.sent(Request.Acquire.class).size();

        a.changes.tell(new LeaseChange.Freed("one", null));
        a.runtime.runFor(SECOND);

        assertThat(a.sent(Request.Acquire.class)).hasSize(tries);
    }

    @Test
    void lossOfALeaseWakesThoseOfTheSameProcessThatWaitForIt() throws InterruptedException {
        a.acquire("one");
        CompletableFuture<Acquisition> waiting = a.waits(ONE, SteppedLeases.HOUR);
        a.free("one");
        // Before a poll would find it that nothing has told to make.
        a.runtime.runFor(SECOND / 20);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    // ---- what is told of clock documents, and of leases that nothing is known of ----

    private List<LeaseLoss.Reason> listening() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        Lease lease = a.acquire("one");
        lease.onLost(loss -> reasons.add(loss.reason()));
        a.runtime.runFor(2 * SECOND);
        assertThat(a.changes.isOpen()).isTrue();
        return reasons;
    }

    @Test
    void lostClockDocumentEndsWhatIsHeldAtOnce() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = listening();
        int polls = a.polls().size();

        a.changes.tell(new LeaseChange.ClockLost(SteppedLeases.NAMESPACE));
        a.runtime.runFor(10 * MILLISECOND);

        assertThat(reasons).containsExactly(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
        assertThat(a.polls()).as("reads before that").hasSize(polls);
    }

    @Test
    void replacedClockDocumentIsReadForTheEntryOfTheWriter() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = listening();
        a.store.removeWriter(a.partition.writer());

        a.changes.tell(new LeaseChange.ClockReplaced(SteppedLeases.NAMESPACE));
        a.runtime.runFor(10 * MILLISECOND);

        assertThat(reasons).containsExactly(LeaseLoss.Reason.EVICTED);
    }

    @Test
    void removedEntryOfTheWriterEndsWhatItHoldsAtOnceAndThatOfAnotherNothing() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = listening();
        a.changes.tell(new LeaseChange.WriterGone(SteppedLeases.NAMESPACE, SteppedLeases.OTHER));
        a.runtime.runFor(10 * MILLISECOND);
        assertThat(reasons).isEmpty();

        a.store.fail(new LeaseUnavailableException("no database", null));
        a.changes.tell(new LeaseChange.WriterGone(SteppedLeases.NAMESPACE, a.partition.writer()));
        a.runtime.runFor(10 * MILLISECOND);

        assertThat(reasons).containsExactly(LeaseLoss.Reason.EVICTED);
    }

    @Test
    void leaseUnderAnUnknownTenureIsReleasedOnce() {
        Tenure unknown = new Tenure(SteppedLeases.NAMESPACE, "one", "h", 7);

        a.leaseManager.onUnknown(unknown, 1);
        a.leaseManager.onUnknown(unknown, 1);
        a.runtime.runDue();

        assertThat(a.sent(Request.Release.class))
                .extracting(Request.Release::tenure)
                .containsExactly(unknown);
    }

    @Test
    void leaseThatIsHeldOrBeingReleasedIsNotTakenForUnknown() throws InterruptedException {
        Lease held = a.acquire("one");
        Lease closed = a.acquire("two");
        a.leaseManager.onUnknown(held.tenure(), 1);
        closed.close();
        int releases = a.sent(Request.Release.class).size();
        a.leaseManager.onUnknown(held.tenure(), 1);
        a.runtime.runDue();

        assertThat(a.sent(Request.Release.class)).hasSize(releases);
        assertThat(held.isHeld()).isTrue();
    }
}
