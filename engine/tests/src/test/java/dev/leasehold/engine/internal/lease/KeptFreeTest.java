package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.rules.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a holder has for at least a time is kept free by its release, if that comes sooner. */
class KeptFreeTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final LeaseRequest JOB = LeaseRequest.of("job").atLeast(TIME);
    private static final LeaseRequest TERM = JOB.term(SteppedLeases.MINUTE);

    private final SteppedLeases a = new SteppedLeases();

    private Request.Release onlyRelease() {
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        return a.sent(Request.Release.class).get(0);
    }

    @Test
    void releaseSaysUntilWhenCountedFromTheAcquisition() throws InterruptedException {
        Lease lease = a.acquire(JOB);
        long beganNanos = a.partition.clock().nowNanos();
        a.clock.advance(SECOND);

        lease.close();

        assertThat(onlyRelease())
                .isEqualTo(new Request.Release(lease.tenure(), beganNanos + TIME.toNanos(), false, null));
    }

    @Test
    void noneIsLetInBeforeAndWhatWaitsIsLetInRightAfter() throws InterruptedException {
        a.acquire(JOB).close();

        Acquisition tooEarly = a.leaseManager.tryAcquire(JOB, Duration.ZERO);
        assertThat(tooEarly)
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));

        CompletableFuture<Acquisition> waiting = a.waits(JOB, SteppedLeases.HOUR);
        int sent = a.sent().size();
        a.runtime.runFor(TIME.toNanos() - SECOND);
        assertThat(waiting).isNotDone();
        a.runtime.runFor(SECOND + 1);
        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(a.sent().size() - sent).as("woken by the bound alone").isLessThanOrEqualTo(3);
    }

    @Test
    void sameHolderIsNotLetInWhileTheReleaseIsOnItsWay() throws InterruptedException {
        LeaseRequest request = JOB.holder("h");
        Lease lease = a.acquire(request);
        a.refuseWrites(1, new LeaseUnavailableException("no database", null));
        ((LeaseHandle) lease).closeSoon();

        CompletableFuture<Acquisition> again = a.waits(request, Duration.ofSeconds(3));
        a.runtime.runFor(4 * SECOND);

        assertThat(again.join())
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));
    }

    @Test
    void whatNoCallerEverHadIsFreeAtOnce() {
        CompletableFuture<Lease> future =
                a.leaseManager.acquireAsync(JOB, Duration.ZERO).toCompletableFuture();
        a.store.onWrite(write -> {
            a.callbacks.execute(() -> future.cancel(true));
            return write.send();
        });
        a.runtime.runDue();

        assertThat(future).isCancelled();
        assertThat(onlyRelease().notBeforeNanos()).isNull();
    }

    @Test
    void closingTheEngineReleasesItByAWriteOfItsOwn() throws InterruptedException {
        Lease kept = a.acquire(JOB);
        a.acquire(LeaseRequest.of("other"));

        a.leaseManager.close(true);
        a.runtime.runDue();

        assertThat(onlyRelease().tenure()).isEqualTo(kept.tenure());
        assertThat(onlyRelease().notBeforeNanos()).isNotNull();
    }

    @Test
    void sessionLeaseThatIsLostByTimeIsReleasedAndNotKeptFree() throws InterruptedException {
        Lease lease = a.acquire(JOB);
        a.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        a.runtime.runDue();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), null, false, null));
    }

    @Test
    void whatItsCallerReleasesByTheTenureIsNotKeptFreeEvenIfThatHasFailed() throws InterruptedException {
        Lease lease = a.acquire(TERM);

        // The caller's own release is not sent here, as if it had failed.
        a.leaseManager.onCallerRelease(lease.tenure());
        a.runtime.runDue();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), null, false, null));
    }

    @Test
    void ofSeveralHandlesTheLatestInstantCountsWhicheverIsClosedLast() throws InterruptedException {
        Lease first = a.acquire(JOB.holder("h"));
        a.clock.advance(SECOND);
        long secondNanos = a.partition.clock().nowNanos();
        Lease second = a.acquire(LeaseRequest.of("job").holder("h").atLeast(TIME.multipliedBy(2)));
        Lease third = a.acquire(LeaseRequest.of("job").holder("h"));

        second.close();
        first.close();
        third.close();

        assertThat(onlyRelease())
                .isEqualTo(new Request.Release(
                        first.tenure(), secondNanos + TIME.multipliedBy(2).toNanos(), false, null));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 999_999, 36_501L * 86_400 * 1_000_000_000})
    void timeOutsideOfItsRangeIsRefusedBeforeAnythingIsSent(long nanos) {
        LeaseRequest request = LeaseRequest.of("job").atLeast(Duration.ofNanos(nanos));

        assertThatThrownBy(() -> a.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at least " + Duration.ofNanos(nanos) + " is refused: it must be PT0.001S to PT876000H");
        assertThat(a.sent()).isEmpty();
    }
}
