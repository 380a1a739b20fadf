package dev.leasehold.engine.internal.runtime;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread: an engine that nobody closed keeps no JVM alive. */
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
     * It is started by whoever needs it first, and lives on: what belongs to a request of that caller is not to live on with it.
     * The class loader would be that of the caller, or that of the system, depending on the JDK.
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
            // Stopping: whoever waits for a task was told so before.
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
