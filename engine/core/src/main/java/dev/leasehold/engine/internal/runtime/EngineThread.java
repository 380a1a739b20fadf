package dev.leasehold.engine.internal.runtime;

/** One background thread with a queue. Callers cannot interrupt it. */
public interface EngineThread {

    /** Runs the task after those handed in before. Ignored once the thread is stopping. */
    void execute(Runnable task);

    /** Runs the task after a delay. Ignored once the thread is stopping. */
    void executeAfter(long delayNanos, Runnable task);

    /** Lets the tasks already handed in end, without those still delayed, and takes no more. Does not wait. */
    void stop();
}
