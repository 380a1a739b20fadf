package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The database could not be reached, or could not do it, within the time budget.
 *
 * <p>The operation was not carried out and never will be. It may be called again.
 */
public final class LeaseUnavailableException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /** Whether the server said that it has too much to do. */
    private final boolean overloaded;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseUnavailableException(String message, @Nullable Throwable cause) {
        this(message, cause, cause instanceof LeaseUnavailableException known && known.isOverloaded());
    }

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     * @param overloaded whether the database said that it has too much to do
     */
    public LeaseUnavailableException(String message, @Nullable Throwable cause, boolean overloaded) {
        super(message, cause);
        this.overloaded = overloaded;
    }

    /**
     * Whether the database turned the last attempt away since it has too much to do. The engine has repeated it with
     * growing pauses; a caller that repeats the call should wait longer each time, too.
     *
     * @return whether it said so
     */
    public boolean isOverloaded() {
        return overloaded;
    }

    /** {@return true: the database may be back then} */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
