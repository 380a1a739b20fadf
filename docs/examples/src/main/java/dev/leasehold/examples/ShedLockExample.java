package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;

/** One job in the three releases of a change from ShedLock. */
final class ShedLockExample {

    private final LeaseEngine engine;
    private final LockingTaskExecutor shedLock;
    private final Runnable job;

    ShedLockExample(LeaseEngine engine, LockingTaskExecutor shedLock, Runnable job) {
        this.engine = engine;
        this.shedLock = shedLock;
        this.job = job;
    }

    private static LockConfiguration lock() {
        return new LockConfiguration(Instant.now(), "nightly", Duration.ofMinutes(30), Duration.ZERO);
    }

    void runInReleaseZero() {
        shedLock.executeWithLock(job, lock());
    }

    void runInReleaseOne() throws InterruptedException {
        // example:start one
        engine.runWhileHeld("nightly", () -> shedLock.executeWithLock(job, lock()));
        // example:end one
    }

    void runInReleaseTwo() throws InterruptedException {
        engine.runWhileHeld("nightly", job);
    }

    static <T> RunResult<Integer> sendAll(LeaseEngine engine, List<T> due, Consumer<T> outbox)
            throws InterruptedException {
        // example:start each
        RunResult<Integer> result = engine.runWhileHeld("nightly", lease -> {
            for (T invoice : due) {
                lease.requireHeld(); // throws LeaseNotHeldException
                outbox.accept(invoice);
            }
            return due.size();
        });
        // example:end each
        return result;
    }
}
