package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.OnceTask;
import dev.leasehold.engine.RunOnceResult;
import org.jspecify.annotations.Nullable;

/** Runs the task of a caller in a transaction that records its occurrence. */
public interface OnceRunner {

    /**
     * Blocks for as long as the transaction does, in which the task may run several times.
     *
     * @param lease whose tenure the transaction asserts
     * @return {@link RunOnceResult.Ran} or {@link RunOnceResult.DoneBefore}
     * @throws X what the task throws; nothing was committed
     */
    <T extends @Nullable Object, X extends Exception> RunOnceResult<T> run(
            Lease lease, String occurrence, OnceTask<T, X> task) throws X;
}
