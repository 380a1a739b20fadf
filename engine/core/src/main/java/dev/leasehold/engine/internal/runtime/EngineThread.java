package dev.leasehold.engine.internal.runtime;

/**
 * One background thread with a queue. Callers cannot interrupt it.
 *
 * <p>What is due goes before what was submitted, so that no pause before a retry or a heartbeat lasts longer under load. But two tasks with a
 * delay do not go before one that was submitted before the second of them was due: if heartbeats and reads that come again and again take as
 * long as the time between them, the rest goes on in turn with them.
 */
public interface EngineThread {

    /** Runs the task after those submitted before. Ignored once the thread is stopping. */
    void execute(Runnable task);

    /** Runs the task after a delay. Ignored once the thread is stopping. */
    void executeAfter(long delayNanos, Runnable task);

    /** Runs the tasks already submitted, apart from delayed ones, and ignores later ones. Does not wait. */
    void stop();
}
