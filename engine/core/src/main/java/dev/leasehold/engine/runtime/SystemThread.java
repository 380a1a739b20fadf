package dev.leasehold.engine.runtime;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A daemon thread: an engine that nobody closed keeps no JVM alive. */
final class SystemThread implements EngineThread {

    private final ScheduledThreadPoolExecutor executor;

    SystemThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void execute(Runnable task) {
        executeAfter(0, task);
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        try {
            executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Stopping: whoever waits for a task was told so before.
        }
    }

    @Override
    public void stop() {
        executor.shutdown();
    }
}
