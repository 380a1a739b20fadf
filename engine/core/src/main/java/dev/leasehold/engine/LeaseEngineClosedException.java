package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The engine was closed. The caller does not hold the lease through this operation and will not come to hold it. Nothing else
 * was carried out, nor will be; of an acquisition, what was on its way when the engine was closed is given up by the close,
 * with all else that the engine held.
 */
public final class LeaseEngineClosedException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseEngineClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
