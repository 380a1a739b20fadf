package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The database could not be reached, or could not do it, within the time budget.
 *
 * <p>The operation was not carried out and never will be. It may be called again.
 */
public final class LeaseUnavailableException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return true: the database may be back then} */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
