package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.concurrent.atomic.AtomicInteger;

/** The thread that does all I/O of one partition, and knows whether it is idle. */
final class PartitionThread implements EngineThread {

    private final EngineThread thread;
    /** Tasks that run or wait to be run, without those that are delayed. */
    private final AtomicInteger tasks = new AtomicInteger();

    PartitionThread(EngineThread thread) {
        this.thread = thread;
    }

    /**
     * Submits the task unless the thread is busy, maybe with a slow database. False: the task was not accepted.
     */
    boolean executeIfIdle(Runnable task) {
        if (!tasks.compareAndSet(0, 1)) {
            return false;
        }
        thread.execute(() -> run(task));
        return true;
    }

    @Override
    public void execute(Runnable task) {
        tasks.incrementAndGet();
        thread.execute(() -> run(task));
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        thread.executeAfter(delayNanos, () -> {
            tasks.incrementAndGet();
            run(task);
        });
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            tasks.decrementAndGet();
        }
    }

    @Override
    public void stop() {
        thread.stop();
    }
}
