package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
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

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final long MILLISECOND = SECOND / 1000;
    private static final LeaseRequest ONE = LeaseRequest.of("one");

    private final FakeLeaseManager fake = new FakeLeaseManager();

    // ---- when it is open ----

    @Test
    void shortUncontendedHoldingsOpenNoStream() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            fake.acquire("one").close();
            fake.runtime.runFor(50 * MILLISECOND);
        }
        assertThat(fake.changes.opened()).isZero();
        assertThat(fake.operations.sent()).hasSize(200);
        assertThat(fake.operations.polls()).isEmpty();
    }

    @Test
    void shortHoldingsOfManyLeasesAtOnceOpenNoStream() throws InterruptedException {
        Lease earlier = fake.acquire("lease 0");
        for (int i = 1; i < 100; i++) {
            fake.runtime.runFor(300 * MILLISECOND);
            Lease later = fake.acquire("lease " + i);
            fake.runtime.runFor(300 * MILLISECOND);
            earlier.close();
            earlier = later;
        }
        assertThat(fake.changes.opened()).isZero();
    }

    @Test
    void refusalWithoutAWaitOpensNoStream() {
        fake.operations.heldByAnother("one", "h2", null);
        fake.waits(ONE, Duration.ZERO);
        fake.runtime.runFor(SECOND);
        assertThat(fake.changes.opened()).isZero();
    }

    @Test
    void whoWaitsHasItOpenedAtOnce() {
        fake.operations.heldByAnother("one", "h2", null);
        fake.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(fake.changes.isOpen()).isTrue();
    }

    @Test
    void whatIsHeldForAWhileHasItOpened() throws InterruptedException {
        fake.acquire("one");
        fake.runtime.runFor(SECOND - 1);
        assertThat(fake.changes.isOpen()).isFalse();
        fake.runtime.runFor(SECOND);
        assertThat(fake.changes.isOpen()).isTrue();
    }

    @Test
    void staysOpenForAWhileAfterTheLastNeed() throws InterruptedException {
        Lease lease = fake.acquire("one");
        fake.runtime.runFor(2 * SECOND);
        lease.close();

        fake.runtime.runFor(ChangeWatcher.LINGER_NANOS - SECOND);
        assertThat(fake.changes.isOpen()).isTrue();
        fake.runtime.runFor(2 * SECOND);
        assertThat(fake.changes.isOpen()).isFalse();
        assertThat(fake.changes.opened()).isEqualTo(1);
    }

    @Test
    void anotherNeedMeanwhileKeepsItOpen() throws InterruptedException {
        fake.operations.heldByAnother("one", "h2", 2 * SECOND);
        CompletableFuture<Acquisition> first = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(2 * SECOND + 1);
        first.join().orElseThrow().close();
        fake.runtime.runFor(ChangeWatcher.LINGER_NANOS / 2);

        fake.operations.heldByAnother("one", "h2", null);
        fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.runtime.runFor(2 * ChangeWatcher.LINGER_NANOS);

        assertThat(fake.changes.isOpen()).isTrue();
        assertThat(fake.changes.opened()).isEqualTo(1);
    }

    @Test
    void isOpenedAnewWhenItIsNeededAgainAfterItsEnd() {
        fake.operations.heldByAnother("one", "h2", null);
        fake.waits(ONE, Duration.ofSeconds(1));
        fake.runtime.runFor(2 * SECOND + ChangeWatcher.LINGER_NANOS);
        assertThat(fake.changes.isOpen()).isFalse();

        fake.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(fake.changes.isOpen()).isTrue();
        assertThat(fake.changes.opened()).isEqualTo(2);
    }

    // ---- what happens before it begins ----

    @Test
    void releaseBetweenTheRefusalAndTheBeginOfTheStreamIsNotMissed() {
        fake.operations.heldByAnother("one", "h2", null);
        fake.changes.whileOpening(() -> {
            fake.operations.vacate("one");
            fake.changes.tell(new LeaseChange.Freed("one"));
        });
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(waiting).isCompleted();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void endOfATenureBeforeTheStreamBeginsIsNotMissed() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        fake.acquire("one").onLost(loss -> reasons.add(loss.reason()));
        fake.operations.vacate("one");
        fake.runtime.runFor(2 * SECOND);
        assertThat(reasons).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(fake.operations.polls()).containsExactly(Set.of("one"));
    }

    // ---- what the engine's own changes cost ----

    @Test
    void ownReleaseOfALeaseThatIsHeldAgainCostsNoRead() throws InterruptedException {
        fake.acquire("long");
        fake.runtime.runFor(2 * SECOND);
        int polls = fake.operations.polls().size();
        for (int i = 0; i < 100; i++) {
            Lease lease = fake.acquire("one");
            fake.changes.tell(new LeaseChange.Freed("one"));
            fake.runtime.runFor(10 * MILLISECOND);
            lease.close();
        }
        fake.runtime.runFor(SECOND);
        assertThat(fake.changes.isOpen()).isTrue();
        assertThat(fake.operations.polls()).hasSize(polls);
    }

    @Test
    void ownReleaseToldLateWakesNobodyWhileTheNextInLineHoldsTheLease() throws InterruptedException {
        Lease first = fake.acquire("one");
        CompletableFuture<Acquisition> second = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.waits(ONE, FakeLeaseManager.HOUR);
        first.close();
        fake.runtime.runDue();
        assertThat(second).isCompleted();
        int tries = fake.operations.sent(Request.Acquire.class).size();

        fake.changes.tell(new LeaseChange.Freed("one"));
        fake.runtime.runFor(SECOND);

        assertThat(fake.operations.sent(Request.Acquire.class)).hasSize(tries);
    }

    @Test
    void lossOfALeaseWakesThoseOfTheSameProcessWhoWaitForIt() throws InterruptedException {
        fake.acquire("one");
        CompletableFuture<Acquisition> waiting = fake.waits(ONE, FakeLeaseManager.HOUR);
        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        // Before a poll would find it that nobody has told to make.
        fake.runtime.runFor(SECOND / 20);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    // ---- what is told of clock documents, and of leases that nothing is known of ----

    private List<LeaseLoss.Reason> listening() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        Lease lease = fake.acquire("one");
        lease.onLost(loss -> reasons.add(loss.reason()));
        fake.operations.validities(lease.tenure()).listener(fake.leaseManager);
        fake.runtime.runFor(2 * SECOND);
        assertThat(fake.changes.isOpen()).isTrue();
        return reasons;
    }

    @Test
    void lostClockDocumentEndsWhatIsHeldAtOnce() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = listening();
        int polls = fake.operations.polls().size();

        fake.changes.tell(new LeaseChange.ClockLost(FakeOperations.NAMESPACE));
        fake.runtime.runFor(10 * MILLISECOND);

        assertThat(reasons).containsExactly(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
        assertThat(fake.operations.polls()).as("reads before that").hasSize(polls);
    }

    @Test
    void replacedClockDocumentsAndRemovedEntriesAreReported() throws InterruptedException {
        listening();

        fake.changes.tell(new LeaseChange.ClockReplaced("billing"));
        fake.changes.tell(new LeaseChange.WriterGone("billing", "w#1"));
        fake.runtime.runFor(10 * MILLISECOND);

        assertThat(fake.operations.reported()).containsExactly("replaced billing", "gone billing w#1");
    }

    @Test
    void leaseUnderAnUnknownTenureIsReleasedOnce() {
        Tenure unknown = new Tenure(FakeOperations.NAMESPACE, "one", "h", 7);

        fake.leaseManager.onUnknown(unknown, 1);
        fake.leaseManager.onUnknown(unknown, 1);
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Release.class))
                .extracting(Request.Release::tenure)
                .containsExactly(unknown);
    }

    @Test
    void leaseThatIsHeldOrBeingReleasedIsNotTakenForUnknown() throws InterruptedException {
        Lease held = fake.acquire("one");
        Lease closed = fake.acquire("two");
        fake.leaseManager.onUnknown(held.tenure(), 1);
        closed.close();
        int releases = fake.operations.sent(Request.Release.class).size();
        fake.leaseManager.onUnknown(held.tenure(), 1);
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Release.class)).hasSize(releases);
        assertThat(held.isHeld()).isTrue();
    }
}
