package dev.leasehold.engine.internal.runtime;

/** One background thread with a queue. Callers cannot interrupt it. */
public interface EngineThread {

    /** Runs the task after those submitted before. Ignored once the thread is stopping. */
    void execute(Runnable task);

    /** Runs the task after a delay, and then before all that was submitted and has not begun. Ignored once the thread is stopping. */
    void executeAfter(long delayNanos, Runnable task);

    /** Runs the tasks already submitted, apart from delayed ones, and ignores later ones. Does not wait. */
    void stop();
}
