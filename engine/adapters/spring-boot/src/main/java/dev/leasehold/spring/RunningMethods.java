package dev.leasehold.spring;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The calls of {@link Leased} and {@link LeaderOnly} methods that run now. When the application stops, after its schedulers and web servers
 * and before its elections and its engine, no more calls begin, and those that run are waited for: until then their leases stay held. Those
 * that still run after the shutdown time are interrupted.
 *
 * <p>Safe for use by many threads.
 */
final class RunningMethods implements SmartLifecycle {

    /** Below those of schedulers, message listeners and web servers, which stop first. */
    static final int PHASE = DEFAULT_PHASE - 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(RunningMethods.class);

    /** How long methods may go on that were interrupted. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

    private final Duration shutdownTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Set<Call> calls = new LinkedHashSet<>();
    private boolean isRunning;
    private boolean isStopping;

    /**
     * No calls run yet.
     *
     * @param shutdownTime how long calls are waited for before they are interrupted
     */
    RunningMethods(Duration shutdownTime) {
        this.shutdownTime = shutdownTime;
    }

    /** One call, from the time its lease is held until just before that is released. */
    final class Call implements AutoCloseable {

        private final String place;
        /** Null when the method has returned, and its work goes on. */
        private @Nullable Thread thread = Thread.currentThread();
        /** Ends that work. */
        private @Nullable Runnable cancellation;

        private boolean isInterrupted;

        private Call(String place) {
            this.place = place;
        }

        /**
         * The method returns, and its work goes on until this is closed, on other threads.
         *
         * @param cancel ends the work if the application stops and the work does not end in time
         */
        void goOn(Runnable cancel) {
            boolean isOver;
            lock.lock();
            try {
                isOver = isInterrupted;
                leaveThread();
                thread = null;
                cancellation = cancel;
            } finally {
                lock.unlock();
            }
            if (isOver) {
                RunningMethods.cancel(cancel);
            }
        }

        /** What is to be run without the lock. */
        private Optional<Runnable> interrupt() {
            isInterrupted = true;
            if (thread != null) {
                thread.interrupt();
            }
            return Optional.ofNullable(cancellation);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                leaveThread();
                calls.remove(this);
                left.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** The interrupt was for the method: the release that follows need not end early. That of a call around stays. */
        private void leaveThread() {
            if (isInterrupted
                    && thread != null
                    && calls.stream().filter(isOf(thread)).count() == 1) {
                Thread.interrupted();
            }
        }

        @Override
        public String toString() {
            return place + (thread == null ? ", which has returned" : " on thread " + thread.getName());
        }
    }

    /**
     * Begins a call on this thread.
     *
     * @param place the method
     * @return null if the application is stopping, unless this thread is in a call already
     */
    @Nullable Call begin(String place) {
        lock.lock();
        try {
            if (isStopping && calls.stream().noneMatch(isOf(Thread.currentThread()))) {
                LOG.debug("{} does not run: the application is stopping", place);
                return null;
            }
            return beginInside(place);
        } finally {
            lock.unlock();
        }
    }

    /** Begins a call on this thread inside of another one, which is not over. */
    Call beginInside(String place) {
        lock.lock();
        try {
            Call call = new Call(place);
            calls.add(call);
            return call;
        } finally {
            lock.unlock();
        }
    }

    private static Predicate<Call> isOf(Thread thread) {
        return call -> call.thread == thread;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        lock.lock();
        try {
            isStopping = false;
            isRunning = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            isStopping = true;
            isRunning = false;
            if (awaitNone(shutdownTime)) {
                return;
            }
            LOG.warn(
                    "still running {} after the schedulers have stopped, and interrupted now: {}", shutdownTime, calls);
            interruptAll();
            if (!awaitNone(AFTER_INTERRUPT)) {
                LOG.error(
                        "still running {} s after an interrupt; their leases are released all the same: {}",
                        AFTER_INTERRUPT.toSeconds(),
                        calls);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** With the lock, which it gives up meanwhile: what is cancelled may end at once, and tells all that wait for it. */
    private void interruptAll() {
        List<Runnable> cancellations =
                calls.stream().map(Call::interrupt).flatMap(Optional::stream).toList();
        lock.unlock();
        try {
            cancellations.forEach(RunningMethods::cancel);
        } finally {
            lock.lock();
        }
    }

    private static void cancel(Runnable cancellation) {
        try {
            cancellation.run();
        } catch (RuntimeException e) {
            LOG.warn("what a method began could not be cancelled", e);
        }
    }

    /** Not for calls of this thread: a method that stops its application is not waited for. */
    private boolean awaitNone(Duration limit) throws InterruptedException {
        Predicate<Call> ofThisThread = isOf(Thread.currentThread());
        long nanos = limit.toNanos();
        while (!calls.stream().allMatch(ofThisThread)) {
            if (nanos <= 0) {
                return false;
            }
            nanos = left.awaitNanos(nanos);
        }
        return true;
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return isRunning;
        } finally {
            lock.unlock();
        }
    }
}
