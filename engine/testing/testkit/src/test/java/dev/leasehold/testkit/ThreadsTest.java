package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code under test that has threads of its own. */
class ThreadsTest {

    private static final long PATIENCE_SECONDS = 50;

    private final TestLeases leases = TestLeases.create();

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void anotherThreadWaitsUntilTheLeaseIsGivenUp() throws Exception {
        Lease first = leases.engine("a").tryAcquire("x").orElseThrow();
        FutureTask<Acquisition> waiter = waiter(Duration.ofMinutes(5));
        Thread thread = started(waiter);
        untilWaiting(thread);

        assertThat(leases.clock().instant()).isEqualTo("2031-03-03T09:40:00Z");
        first.close();
        leases.advance(Duration.ofSeconds(1));

        assertThat(result(waiter)).isInstanceOf(Acquisition.Acquired.class);
    }

    @Test
    void itsTimeIsOverWhenTheTestHasMovedTheClock() throws Exception {
        leases.engine("a").tryAcquire("x").orElseThrow();
        FutureTask<Acquisition> waiter = waiter(Duration.ofMinutes(5));
        untilWaiting(started(waiter));

        leases.advance(Duration.ofMinutes(4));
        assertThat(waiter.isDone()).isFalse();
        leases.advance(Duration.ofMinutes(2));

        assertThat(result(waiter)).isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    void aThreadThatWaitsCanBeInterrupted() throws Exception {
        leases.engine("a").tryAcquire("x").orElseThrow();
        FutureTask<Acquisition> waiter = waiter(Duration.ofMinutes(5));
        Thread thread = started(waiter);
        untilWaiting(thread);

        thread.interrupt();

        assertThatThrownBy(() -> result(waiter))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void theThreadOfTheTestCanBeInterrupted() throws InterruptedException {
        leases.engine("a").tryAcquire("x").orElseThrow();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> leases.engine("a").acquire(LeaseRequest.of("y").waitAtMost(Duration.ofMinutes(1))))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aCallbackMayWaitForAnotherThreadThatUsesTheEngine() throws Exception {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        CountDownLatch stop = new CountDownLatch(1);
        FutureTask<Boolean> job = new FutureTask<>(() -> {
            stop.await();
            boolean held = lease.isHeld();
            leases.engine().tenures().claim("report", "job", Duration.ofMinutes(1));
            return held;
        });
        started(job);
        lease.onLost(loss -> {
            stop.countDown();
            assertThat(job).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
        });

        leases.lose(lease, LeaseLoss.Reason.TAKEN_OVER);

        assertThat(job).isDone();
        assertThat(job.get()).isFalse();
    }

    @Test
    void noThreadIsLeftBehind() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (TestLeases others = TestLeases.create(builder -> builder.partitions(3))) {
            others.engine("a").tryAcquire("x").orElseThrow();
            others.engine("b").acquireAsync(LeaseRequest.of("x").waitAtMost(Duration.ofHours(1)));
            others.engine("c").tryAcquire("y").orElseThrow();
            others.machine("c").kill();
            others.machine("a").disconnect();
            others.advance(Duration.ofSeconds(3));
            others.stopDatabase();
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("simulated") || name.startsWith("leasehold"));
    }

    private FutureTask<Acquisition> waiter(Duration wait) {
        return new FutureTask<>(
                () -> leases.engine("b").tryAcquire(LeaseRequest.of("x").waitAtMost(wait)));
    }

    private static Thread started(FutureTask<?> task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void untilWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
