package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LossesTest {

    private final TestLeases leases = TestLeases.create();

    @AfterEach
    void close() {
        leases.close();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD_TOO_LONG")
    void aLeaseIsLostForTheReasonThatWasAskedForAndItsHolderIsTold(Reason reason) throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        List<LeaseLoss> told = new ArrayList<>();
        lease.onLost(told::add);

        leases.lose(lease, reason);

        assertThat(lease.isHeld()).isFalse();
        assertThat(told).extracting(LeaseLoss::reason).containsExactly(reason);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"EVICTED", "HELD_TOO_LONG"})
    void soIsALeaseWithATerm(Reason reason) throws InterruptedException {
        Lease lease = leases.engine()
                .tryAcquire(LeaseRequest.of("x").term(Duration.ofSeconds(90)))
                .orElseThrow();

        leases.lose(lease, reason);

        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void oneWithATermIsNotKeptByASessionAndCannotBeEvicted() throws InterruptedException {
        Lease lease = leases.engine()
                .tryAcquire(LeaseRequest.of("x").term(Duration.ofSeconds(20)))
                .orElseThrow();

        assertThatThrownBy(() -> leases.lose(lease, Reason.EVICTED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be lost as EVICTED");
    }

    @Test
    void aLeaseThatIsHeldTooLongIsLostWhenTimeAdvances() throws InterruptedException {
        Lease lease = leases.engine()
                .tryAcquire(LeaseRequest.of("x").atMost(Duration.ofMinutes(10)))
                .orElseThrow();
        List<LeaseLoss> told = new ArrayList<>();
        lease.onLost(told::add);
        assertThatThrownBy(() -> leases.lose(lease, Reason.HELD_TOO_LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("atMost");

        leases.advance(Duration.ofMinutes(10).plusSeconds(1));

        assertThat(lease.isHeld()).isFalse();
        assertThat(told).extracting(LeaseLoss::reason).containsExactly(Reason.HELD_TOO_LONG);
    }

    @Test
    void anOrderMovesNoTime() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        Instant before = leases.clock().instant();

        leases.lose(lease, Reason.TAKEN_OVER);

        assertThat(leases.clock().instant()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CLOSED", "ENGINE_FAILED", "HELD_TOO_LONG"})
    void afterwardsTheSameEngineGetsTheLeaseAgain(Reason reason) throws InterruptedException {
        Lease lost = leases.engine().tryAcquire("x").orElseThrow();
        leases.lose(lost, reason);

        Lease again = leases.engine().acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(2)));

        assertThat(again.token()).isGreaterThan(lost.token());
        assertThat(again.isHeld()).isTrue();
    }

    @Test
    void aCallbackRunsBeforeTheCallReturnsAndMayUseTheEngine() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        List<Object> seen = new ArrayList<>();
        lease.onLost(loss -> {
            seen.add(Thread.currentThread());
            seen.add(leases.engine().health().heldLeases());
            lease.close();
        });

        leases.lose(lease, Reason.NOT_RENEWED);

        assertThat(seen).containsExactly(Thread.currentThread(), 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD_TOO_LONG")
    void anExecutorForCallbacksMovesNoMoreTime(Reason reason) throws InterruptedException {
        leases.lose(leases.engine().tryAcquire("x").orElseThrow(), reason);
        Thread test = Thread.currentThread();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (TestLeases others = TestLeases.create(builder -> builder.callbackExecutor(executor))) {
            Lease lease = others.engine().tryAcquire("x").orElseThrow();
            List<Reason> told = new CopyOnWriteArrayList<>();
            lease.onLost(loss -> {
                Instant lost = others.clock().instant();
                while (test.getState() != Thread.State.TIMED_WAITING
                        && others.clock().instant().equals(lost)) {
                    Thread.onSpinWait();
                }
                told.add(loss.reason());
            });

            others.lose(lease, reason);

            assertThat(told).containsExactly(reason);
            assertThat(others.clock().instant()).isEqualTo(leases.clock().instant());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void theOnlyThreadForCallbacksMayWaitForTheClock() throws InterruptedException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (TestLeases others = TestLeases.create(builder -> builder.callbackExecutor(executor))) {
            others.engine("other").tryAcquire("y").orElseThrow();
            Lease lease = others.engine().tryAcquire("x").orElseThrow();
            Instant before = others.clock().instant();
            List<Acquisition> answers = new CopyOnWriteArrayList<>();
            LeaseRequest wait = LeaseRequest.of("y").waitAtMost(Duration.ofMinutes(5));
            lease.onLost(loss -> {
                for (int call = 0; call < 2; call++) {
                    answers.add(tryAcquire(others.engine(), wait));
                }
            });

            others.lose(lease, Reason.TAKEN_OVER);

            assertThat(answers).hasSize(2).hasOnlyElementsOfType(Acquisition.NotAcquired.class);
            assertThat(others.clock().instant()).isEqualTo(before.plus(Duration.ofMinutes(10)));
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void theOnlyThreadForCallbacksCompletesAStageWhenTheCallbackHasReturned() throws InterruptedException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (TestLeases others = TestLeases.create(builder -> builder.callbackExecutor(executor))) {
            Lease lease = others.engine().tryAcquire("x").orElseThrow();
            List<CompletableFuture<Lease>> asked = new CopyOnWriteArrayList<>();
            List<Boolean> done = new CopyOnWriteArrayList<>();
            lease.onLost(loss -> {
                asked.add(others.engine().acquireAsync(LeaseRequest.of("y")).toCompletableFuture());
                done.add(asked.get(0).isDone());
            });

            others.lose(lease, Reason.TAKEN_OVER);

            assertThat(done).containsExactly(false);
            assertThat(asked.get(0)).succeedsWithin(Duration.ofSeconds(50));
        } finally {
            executor.shutdownNow();
        }
    }

    private static Acquisition tryAcquire(LeaseEngine engine, LeaseRequest request) {
        try {
            return engine.tryAcquire(request);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEngineThatHasFailedIsReplacedByARestart() throws InterruptedException {
        Lease lost = leases.engine().tryAcquire("x").orElseThrow();
        leases.lose(lost, Reason.ENGINE_FAILED);
        assertThat(leases.engine().health().ready()).isFalse();

        assertThat(leases.machine("test")
                        .restart()
                        .acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)))
                        .isHeld())
                .isTrue();
    }

    @Test
    void whatIsNotHeldCannotBeLost() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        lease.close();

        assertThatThrownBy(() -> leases.lose(lease, Reason.EXPIRED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no engine of this test holds the lease");
    }

    @Test
    void aHandleThatIsClosedCannotLoseWhatAnotherHolds() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        LeaseRequest again = LeaseRequest.of("x").holder(lease.tenure().holder());
        Lease other = leases.engine().tryAcquire(again).orElseThrow();
        Instant before = leases.clock().instant();
        lease.close();

        assertThatThrownBy(() -> leases.lose(lease, Reason.TAKEN_OVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no engine of this test holds the lease");

        assertThat(other.isHeld()).isTrue();
        assertThat(leases.clock().instant()).isEqualTo(before);
    }
}
