package dev.leasehold.engine.internal.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Daemon threads that start on demand and end after a long idle time. */
final class SystemCallbacks implements EngineCallbacks {

    private static final int THREADS_MAX = 4;
    private static final long IDLE_SECONDS_MAX = 30;

    /** Runs on the JDK's own timer thread. */
    private static final Executor A_SECOND_LATER =
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);

    private static final Logger LOG = LoggerFactory.getLogger(SystemCallbacks.class);

    private final ThreadPoolExecutor executor;

    SystemCallbacks(String name) {
        this(numbered(name));
    }

    SystemCallbacks(ThreadFactory threads) {
        executor = new ThreadPoolExecutor(
                THREADS_MAX, THREADS_MAX, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    private static ThreadFactory numbered(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> SystemThread.daemon(task, name + "-" + number.incrementAndGet());
    }

    @Override
    public void execute(Runnable task) {
        // The executor would drop it if it could not start a thread.
        executor.getQueue().add(task);
        try {
            executor.prestartCoreThread();
        } catch (Error e) {
            LOG.warn("no further thread for callbacks can be started, so that they wait for one", e);
            A_SECOND_LATER.execute(this::tryAgain);
        }
    }

    private void tryAgain() {
        try {
            if (executor.getPoolSize() == 0 && !executor.getQueue().isEmpty()) {
                executor.prestartCoreThread();
            }
        } catch (Error e) {
            A_SECOND_LATER.execute(this::tryAgain);
        }
    }

    @Override
    public void stop() {
        // Not shut down: a loss callback that is registered after the close must still run.
        executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }
}
