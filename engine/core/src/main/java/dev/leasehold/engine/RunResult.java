package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * What became of a task that was to run while a lease is held.
 *
 * @param <T> what the task returns
 */
public sealed interface RunResult<T extends @Nullable Object> {

    /** {@return whether the task ran} */
    boolean ran();

    /**
     * The task ran, and the lease was released after it.
     *
     * @param result what the task returned
     * @param heldThroughout whether {@link Lease#isHeld()} was still true when the task ended
     * @param <T> what the task returns
     */
    record Ran<T extends @Nullable Object>(T result, boolean heldThroughout) implements RunResult<T> {
        @Override
        public boolean ran() {
            return true;
        }
    }

    /**
     * The lease was not acquired, and the task did not run.
     *
     * @param refusal why not
     * @param <T> what the task returns
     */
    record Skipped<T extends @Nullable Object>(Refusal refusal) implements RunResult<T> {
        @Override
        public boolean ran() {
            return false;
        }
    }
}
