package dev.leasehold.engine.runtime;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads that come when there is something to run, and go when there has been nothing for long. */
final class SystemCallbacks implements EngineCallbacks {

    private static final int THREADS_MAX = 4;
    private static final long IDLE_SECONDS_MAX = 30;

    private final ThreadPoolExecutor executor;

    SystemCallbacks(String name) {
        AtomicInteger number = new AtomicInteger();
        executor = new ThreadPoolExecutor(
                THREADS_MAX, THREADS_MAX, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void stop() {
        // Not shut down: whoever asks about a loss when all is over is still to be told.
        executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }
}
