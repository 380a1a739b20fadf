package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.held.LeaseHandle;
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

    private final FakeLeaseManager fake = new FakeLeaseManager();

    private Request.Release onlyRelease() {
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);
        return fake.operations.sent(Request.Release.class).get(0);
    }

    @Test
    void releaseSaysUntilWhenCountedFromTheAcquisition() throws InterruptedException {
        Lease lease = fake.acquire(JOB);
        long beganNanos = fake.operations.clock().nowNanos();
        fake.clock.advance(SECOND);

        lease.close();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), beganNanos + TIME.toNanos()));
    }

    @Test
    void nobodyIsLetInBeforeAndWhoWaitsIsLetInRightAfter() throws InterruptedException {
        fake.acquire(JOB).close();

        Acquisition tooEarly = fake.leaseManager.tryAcquire(JOB, Duration.ZERO);
        assertThat(tooEarly)
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));

        CompletableFuture<Acquisition> waiting = fake.waits(JOB, FakeLeaseManager.HOUR);
        int sent = fake.operations.sent().size();
        fake.runtime.runFor(TIME.toNanos() - SECOND);
        assertThat(waiting).isNotDone();
        fake.runtime.runFor(SECOND + 1);
        assertThat(waiting.join().orElseThrow().token()).isEqualTo(2);
        assertThat(fake.operations.sent().size() - sent)
                .as("woken by the bound alone")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void sameHolderIsNotLetInWhileTheReleaseIsOnItsWay() throws InterruptedException {
        LeaseRequest request = JOB.holder("h");
        Lease lease = fake.acquire(request);
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        ((LeaseHandle) lease).closeSoon();

        CompletableFuture<Acquisition> again = fake.waits(request, Duration.ofSeconds(3));
        fake.runtime.runFor(4 * SECOND);

        assertThat(again.join())
                .isInstanceOfSatisfying(
                        Acquisition.NotAcquired.class,
                        no -> assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.NOT_YET));
    }

    @Test
    void whatNoCallerEverHadIsFreeAtOnce() {
        CompletableFuture<Lease> future =
                fake.leaseManager.acquireAsync(JOB, Duration.ZERO).toCompletableFuture();
        fake.operations.script(operation -> {
            fake.operations.answer(operation);
            fake.callbacks.execute(() -> future.cancel(true));
        });
        fake.runtime.runDue();

        assertThat(future).isCancelled();
        assertThat(onlyRelease().notBeforeNanos()).isNull();
    }

    @Test
    void closingTheEngineReleasesItByAWriteOfItsOwn() throws InterruptedException {
        Lease kept = fake.acquire(JOB);
        fake.acquire(LeaseRequest.of("other"));

        fake.leaseManager.close(true);
        fake.runtime.runDue();

        assertThat(onlyRelease().tenure()).isEqualTo(kept.tenure());
        assertThat(onlyRelease().notBeforeNanos()).isNotNull();
    }

    @Test
    void sessionLeaseThatIsLostByTimeIsReleasedAndNotKeptFree() throws InterruptedException {
        Lease lease = fake.acquire(JOB);
        fake.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        fake.runtime.runDue();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), null));
    }

    @Test
    void whatItsCallerReleasesByTheTenureIsNotKeptFreeEvenIfThatHasFailed() throws InterruptedException {
        Lease lease = fake.acquire(TERM);

        // The caller's own release is not sent here, as if it had failed.
        fake.leaseManager.onCallerRelease(lease.tenure());
        fake.runtime.runDue();

        assertThat(onlyRelease()).isEqualTo(new Request.Release(lease.tenure(), null));
    }

    @Test
    void ofSeveralHandlesTheLatestInstantCountsWhicheverIsClosedLast() throws InterruptedException {
        Lease first = fake.acquire(JOB.holder("h"));
        fake.clock.advance(SECOND);
        long secondNanos = fake.operations.clock().nowNanos();
        Lease second = fake.acquire(LeaseRequest.of("job").holder("h").atLeast(TIME.multipliedBy(2)));
        Lease third = fake.acquire(LeaseRequest.of("job").holder("h"));

        second.close();
        first.close();
        third.close();

        assertThat(onlyRelease())
                .isEqualTo(new Request.Release(
                        first.tenure(), secondNanos + TIME.multipliedBy(2).toNanos()));
    }

    @Test
    void lostTermIsFreeByTheOrdinaryRules() throws InterruptedException {
        Lease lease = fake.acquire(TERM);
        fake.clock.stepWall(60 * SECOND);
        assertThat(lease.isHeld()).isFalse();
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Release.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 999_999, 36_501L * 86_400 * 1_000_000_000})
    void timeOutsideOfItsRangeIsRefusedBeforeAnythingIsSent(long nanos) {
        LeaseRequest request = LeaseRequest.of("job").atLeast(Duration.ofNanos(nanos));

        assertThatThrownBy(() -> fake.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at least " + Duration.ofNanos(nanos) + " is refused: it must be PT0.001S to PT876000H");
        assertThat(fake.operations.sent()).isEmpty();
    }
}
