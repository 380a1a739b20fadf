package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.EngineThread;

/** The thread that does all I/O of one partition, and says whether it has nothing to do. */
final class PartitionThread implements EngineThread {

    private final EngineThread thread;
    private volatile boolean busy;

    PartitionThread(EngineThread thread) {
        this.thread = thread;
    }

    /**
     * Runs the task soon, unless the thread is at work, maybe for as long as the database takes. False: the task was not taken. A task
     * that was taken may come behind others that were handed in at the same time.
     */
    boolean executeIfIdle(Runnable task) {
        if (busy) {
            return false;
        }
        execute(task);
        return true;
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(() -> run(task));
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        thread.executeAfter(delayNanos, () -> run(task));
    }

    private void run(Runnable task) {
        busy = true;
        try {
            task.run();
        } finally {
            busy = false;
        }
    }

    @Override
    public void stop() {
        thread.stop();
    }
}
