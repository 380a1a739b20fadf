package dev.leasehold.engine;

import java.util.concurrent.Executor;

/**
 * Finds out whether an executor runs its tasks on the thread that hands them in. Callbacks would then hold up the engine's own threads, and
 * with them the leases.
 */
final class ExecutorProbe implements Runnable {

    private final Thread caller = Thread.currentThread();
    private volatile boolean handedIn;
    private volatile boolean ranInPlace;

    private ExecutorProbe() {}

    /**
     * Hands in a task that does nothing else.
     *
     * @throws IllegalArgumentException if it ran in place
     */
    static void refuseInPlace(Executor executor) {
        ExecutorProbe probe = new ExecutorProbe();
        try {
            executor.execute(probe);
        } catch (Throwable rejected) {
            // What it does not take the engine runs by itself, whatever it throws: an error if it cannot start a
            // thread.
        }
        probe.handedIn = true;
        if (probe.ranInPlace) {
            throw new IllegalArgumentException("callback executor " + executor
                    + " is refused: it must not run its tasks on the thread that hands them in");
        }
    }

    /** The thread alone says nothing: a queue may be worked off later by the thread that built the engine. */
    @Override
    public void run() {
        if (!handedIn && Thread.currentThread() == caller) {
            ranInPlace = true;
        }
    }
}
