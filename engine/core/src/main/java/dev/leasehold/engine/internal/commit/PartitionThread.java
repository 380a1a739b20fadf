package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.EngineThread;

/** The thread that does all I/O of one partition, and knows whether it is idle. */
final class PartitionThread implements EngineThread {

    private final EngineThread thread;
    private volatile boolean busy;

    PartitionThread(EngineThread thread) {
        this.thread = thread;
    }

    /**
     * Submits the task unless the thread is busy, maybe with a slow database. False: the task was not accepted. An
     * accepted task may still run after others that were submitted at the same time.
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
