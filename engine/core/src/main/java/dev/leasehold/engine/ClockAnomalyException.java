package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A clock did what no clock may do: the monotonic source of this machine went back, or an instant does not fit into an int64 of nanoseconds.
 *
 * <p>Nothing was concluded from it, and the operation was not carried out.
 */
public final class ClockAnomalyException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public ClockAnomalyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
