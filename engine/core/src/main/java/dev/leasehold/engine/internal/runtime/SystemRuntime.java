package dev.leasehold.engine.internal.runtime;

import dev.leasehold.engine.internal.time.EngineClock;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The runtime of the real machine. */
public final class SystemRuntime implements EngineRuntime {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final EngineClock clock = new SystemClock();

    @Override
    public EngineClock clock() {
        return clock;
    }

    @Override
    public String uniqueText() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public long randomNanos(long boundNanos) {
        return ThreadLocalRandom.current().nextLong(boundNanos + 1);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
            return awaitAlone(future, timeoutNanos);
        }
        try {
            future.get(timeoutNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /**
     * On a thread of a fork-join pool the future's own wait runs other tasks meanwhile. One that waits for the lease which this thread is
     * granted would never end, and this thread would not come back to release it.
     */
    private static boolean awaitAlone(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        future.whenComplete((result, failure) -> done.countDown());
        ForkJoinPool.ManagedBlocker wait = new ForkJoinPool.ManagedBlocker() {
            @Override
            public boolean block() throws InterruptedException {
                done.await(timeoutNanos, TimeUnit.NANOSECONDS);
                return true;
            }

            @Override
            public boolean isReleasable() {
                return done.getCount() == 0;
            }
        };
        try {
            ForkJoinPool.managedBlock(wait);
        } catch (RejectedExecutionException e) {
            // The pool may not replace it: the common one replaces 256. Thrown on, what it is granted would never be
            // released.
            wait.block();
        }
        return done.getCount() == 0;
    }

    @Override
    public EngineThread startThread(String name) {
        return new SystemThread(name);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return new SystemCallbacks(name);
    }

    private static final class SystemClock implements EngineClock {
        @Override
        public long monotonicNanos() {
            return System.nanoTime();
        }

        @Override
        public long wallNanos() {
            Instant now = Instant.now();
            return Math.addExact(Math.multiplyExact(now.getEpochSecond(), NANOS_PER_SECOND), now.getNano());
        }
    }
}
