package dev.leasehold.engine.internal.runtime;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread: an engine that was not closed does not keep the JVM alive. */
final class SystemThread implements EngineThread {

    private static final Logger LOG = LoggerFactory.getLogger(SystemThread.class);

    private final String name;
    private final ScheduledThreadPoolExecutor executor;

    SystemThread(String name) {
        this.name = name;
        executor = new ScheduledThreadPoolExecutor(1, task -> daemon(task, name));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    /**
     * Makes a daemon thread that inherits nothing from the thread that first needs it, which may belong to a request. By default its
     * context class loader would be that of the starting thread or of the system, depending on the JDK.
     */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(SystemThread.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        executeAfter(0, task);
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        try {
            executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Stopping: waiting callers were answered before.
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("thread '{}': a task has failed unexpectedly; the thread goes on", name, e);
        }
    }

    @Override
    public void stop() {
        executor.shutdown();
    }
}
