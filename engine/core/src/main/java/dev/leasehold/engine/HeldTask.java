package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A task that runs while a lease is held.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface HeldTask<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the lease, which the task need not close
     * @return whatever it likes
     * @throws X when it fails
     */
    T run(Lease lease) throws X;
}
