package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.rules.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a holder has for at least a time is kept free by its release, if that comes sooner. */
class KeptFreeTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final LeaseRequest JOB = LeaseRequest.of("job").atLeast(TIME);
    private static final LeaseRequest TERM = JOB.term(FakeLeaseManager.MINUTE);

    private final FakeLeaseManager hand = new FakeLeaseManager();

    private Request.Release onlyRelease() {
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);
        return hand.operations.sent(Request.Release.class).get(0);
    }

    @Test
    void releaseSaysUntilWhenCountedFromTheAcquisition() throws InterruptedException {
        Lease lease = hand.acquire(JOB);
        long beganNanos = hand.operations.clock().nowNanos();
        hand.clock.advance(SECOND);

        lease.close();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), beganNanos + TIME.toNanos()));
    }

    @Test
    void nobodyIsLetInBeforeAndWhoWaitsIsLetInRightAfter() throws InterruptedException {
        hand.acquire(JOB).close();

        Acquisition tooEarly = hand.leaseManager.tryAcquire(JOB, Duration.ZERO);
        assertThat(tooEarly)
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));

        CompletableFuture<Acquisition> waiting = hand.waits(JOB, FakeLeaseManager.HOUR);
        int sent = hand.operations.sent().size();
        hand.runtime.runFor(TIME.toNanos() - SECOND);
        assertThat(waiting).isNotDone();
        hand.runtime.runFor(SECOND + 1);
        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(hand.operations.sent().size() - sent)
                .as("woken by the bound alone")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void sameHolderIsNotLetInWhileTheReleaseIsOnItsWay() throws InterruptedException {
        LeaseRequest request = JOB.holder("h");
        Lease lease = hand.acquire(request);
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        ((LeaseHandle) lease).closeSoon();

        CompletableFuture<Acquisition> again = hand.waits(request, Duration.ofSeconds(3));
        hand.runtime.runFor(4 * SECOND);

        assertThat(again.join())
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));
    }

    @Test
    void whatNoCallerEverHadIsFreeAtOnce() {
        CompletableFuture<Lease> promise =
                hand.leaseManager.acquireAsync(JOB, Duration.ZERO).toCompletableFuture();
        hand.operations.script(operation -> {
            hand.operations.answer(operation);
            hand.callbacks.execute(() -> promise.cancel(true));
        });
        hand.runtime.runDue();

        assertThat(promise).isCancelled();
        assertThat(onlyRelease().notBeforeNanos()).isNull();
    }

    @Test
    void closingTheEngineReleasesItByAWriteOfItsOwn() throws InterruptedException {
        Lease kept = hand.acquire(JOB);
        hand.acquire(LeaseRequest.of("other"));

        hand.leaseManager.close();
        hand.runtime.runDue();

        assertThat(onlyRelease().tenure()).isEqualTo(kept.tenure());
        assertThat(onlyRelease().notBeforeNanos()).isNotNull();
    }

    @Test
    void lostTermIsFreeByTheOrdinaryRules() throws InterruptedException {
        Lease lease = hand.acquire(TERM);
        hand.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        hand.runtime.runDue();

        assertThat(hand.operations.sent(Request.Release.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 999_999, 36_501L * 86_400 * 1_000_000_000})
    void timeOutsideOfItsRangeIsRefusedBeforeAnythingIsSent(long nanos) {
        LeaseRequest request = LeaseRequest.of("job").atLeast(Duration.ofNanos(nanos));

        assertThatThrownBy(() -> hand.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at least " + Duration.ofNanos(nanos) + " is refused: it must be PT0.001S to PT876000H");
        assertThat(hand.operations.sent()).isEmpty();
    }
}
