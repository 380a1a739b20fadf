package dev.leasehold.engine.internal.runtime;

import dev.leasehold.engine.internal.time.EngineClock;
import java.util.concurrent.CompletableFuture;

/** The services of the machine that an engine uses. Safe for many threads. */
public interface EngineRuntime {

    EngineClock clock();

    /** A short text that no other call on any machine ever returns, of letters and digits. */
    String uniqueText();

    /**
     * A number drawn evenly from 0 to {@code boundNanos}, both included.
     *
     * @param boundNanos not negative
     */
    long randomNanos(long boundNanos);

    /**
     * Waits until the future is complete or the time is over.
     *
     * @return whether it is complete
     */
    boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException;

    /** The same, where an interrupt ends the wait too, and is kept. False: the time was over first. */
    default boolean awaitUnlessInterrupted(CompletableFuture<?> future, long timeoutNanos) {
        try {
            return await(future, timeoutNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Starts a thread that runs its tasks one after the other. */
    EngineThread startThread(String name);

    /** Makes a few threads for callbacks, or for what may block like them. Each is started when it is first needed. */
    EngineCallbacks startCallbacks(String name);

    /** Whether an error has ended the engine: from then on nothing is decided, and nothing sent but what closes it. */
    default boolean hasFailed() {
        return false;
    }

    /** Ends the engine by an error that does not reach the bottom of the engine thread on which it was thrown. */
    default void fail(Error error) {}
}
