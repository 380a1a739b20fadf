package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
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

    private final FakeLeaseManager hand = new FakeLeaseManager();

    // ---- when it is open ----

    @Test
    void shortUncontendedHoldingsOpenNoStream() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            hand.acquire("one").close();
            hand.runtime.runFor(50 * MILLISECOND);
        }
        assertThat(hand.changes.opened()).isZero();
        assertThat(hand.operations.sent()).hasSize(200);
        assertThat(hand.operations.looks()).isEmpty();
    }

    @Test
    void shortHoldingsOfManyLeasesAtOnceOpenNoStream() throws InterruptedException {
        Lease earlier = hand.acquire("lease 0");
        for (int i = 1; i < 100; i++) {
            hand.runtime.runFor(300 * MILLISECOND);
            Lease later = hand.acquire("lease " + i);
            hand.runtime.runFor(300 * MILLISECOND);
            earlier.close();
            earlier = later;
        }
        assertThat(hand.changes.opened()).isZero();
    }

    @Test
    void refusalWithoutAWaitOpensNoStream() {
        hand.operations.heldByAnother("one", "h2", null);
        hand.waits(ONE, Duration.ZERO);
        hand.runtime.runFor(SECOND);
        assertThat(hand.changes.opened()).isZero();
    }

    @Test
    void whoWaitsHasItOpenedAtOnce() {
        hand.operations.heldByAnother("one", "h2", null);
        hand.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(hand.changes.isOpen()).isTrue();
    }

    @Test
    void whatIsHeldForAWhileHasItOpened() throws InterruptedException {
        hand.acquire("one");
        hand.runtime.runFor(SECOND - 1);
        assertThat(hand.changes.isOpen()).isFalse();
        hand.runtime.runFor(SECOND);
        assertThat(hand.changes.isOpen()).isTrue();
    }

    @Test
    void staysOpenForAWhileAfterTheLastNeed() throws InterruptedException {
        Lease lease = hand.acquire("one");
        hand.runtime.runFor(2 * SECOND);
        lease.close();

        hand.runtime.runFor(ChangeWatcher.LINGER_NANOS - SECOND);
        assertThat(hand.changes.isOpen()).isTrue();
        hand.runtime.runFor(2 * SECOND);
        assertThat(hand.changes.isOpen()).isFalse();
        assertThat(hand.changes.opened()).isEqualTo(1);
    }

    @Test
    void anotherNeedMeanwhileKeepsItOpen() throws InterruptedException {
        hand.operations.heldByAnother("one", "h2", 2 * SECOND);
        CompletableFuture<Acquisition> first = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(2 * SECOND + 1);
        first.join().orElseThrow().close();
        hand.runtime.runFor(ChangeWatcher.LINGER_NANOS / 2);

        hand.operations.heldByAnother("one", "h2", null);
        hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.runtime.runFor(2 * ChangeWatcher.LINGER_NANOS);

        assertThat(hand.changes.isOpen()).isTrue();
        assertThat(hand.changes.opened()).isEqualTo(1);
    }

    @Test
    void isOpenedAnewWhenItIsNeededAgainAfterItsEnd() {
        hand.operations.heldByAnother("one", "h2", null);
        hand.waits(ONE, Duration.ofSeconds(1));
        hand.runtime.runFor(2 * SECOND + ChangeWatcher.LINGER_NANOS);
        assertThat(hand.changes.isOpen()).isFalse();

        hand.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(hand.changes.isOpen()).isTrue();
        assertThat(hand.changes.opened()).isEqualTo(2);
    }

    // ---- what happens before it begins ----

    @Test
    void releaseBetweenTheRefusalAndTheBeginOfTheStreamIsNotMissed() {
        hand.operations.heldByAnother("one", "h2", null);
        hand.changes.whileOpening(() -> {
            hand.operations.vacate("one");
            hand.changes.tell(new LeaseChange.Freed("one"));
        });
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        assertThat(waiting).isCompleted();
        assertThat(waiting.join().asOptional()).isPresent();
    }

    @Test
    void endOfATenureBeforeTheStreamBeginsIsNotMissed() throws InterruptedException {
        List<LeaseLoss.Reason> reasons = new ArrayList<>();
        hand.acquire("one").onLost(loss -> reasons.add(loss.reason()));
        hand.operations.vacate("one");
        hand.runtime.runFor(2 * SECOND);
        assertThat(reasons).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(hand.operations.looks()).containsExactly(Set.of("one"));
    }

    // ---- what the engine's own changes cost ----

    @Test
    void ownReleaseOfALeaseThatIsHeldAgainCostsNoRead() throws InterruptedException {
        hand.acquire("long");
        hand.runtime.runFor(2 * SECOND);
        int looks = hand.operations.looks().size();
        for (int i = 0; i < 100; i++) {
            Lease lease = hand.acquire("one");
            hand.changes.tell(new LeaseChange.Freed("one"));
            hand.runtime.runFor(10 * MILLISECOND);
            lease.close();
        }
        hand.runtime.runFor(SECOND);
        assertThat(hand.changes.isOpen()).isTrue();
        assertThat(hand.operations.looks()).hasSize(looks);
    }

    @Test
    void ownReleaseToldLateWakesNobodyWhileTheNextInLineHoldsTheLease() throws InterruptedException {
        Lease first = hand.acquire("one");
        CompletableFuture<Acquisition> second = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.waits(ONE, FakeLeaseManager.HOUR);
        first.close();
        hand.runtime.runDue();
        assertThat(second).isCompleted();
        int tries = hand.operations.sent(Request.Acquire.class).size();

        hand.changes.tell(new LeaseChange.Freed("one"));
        hand.runtime.runFor(SECOND);

        assertThat(hand.operations.sent(Request.Acquire.class)).hasSize(tries);
    }

    @Test
    void lossOfALeaseWakesThoseOfTheSameProcessWhoWaitForIt() throws InterruptedException {
        hand.acquire("one");
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, FakeLeaseManager.HOUR);
        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        // Before a look would find it that nobody has told to make.
        hand.runtime.runFor(SECOND / 20);
        assertThat(waiting).isDone();
        assertThat(waiting.join().asOptional()).isPresent();
    }
}
