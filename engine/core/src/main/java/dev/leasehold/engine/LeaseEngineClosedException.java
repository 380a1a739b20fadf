package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The engine was closed. The caller does not hold the lease through this operation, now or later. No other operation
 * was carried out or will be. If an acquisition was on its way, the close releases what it acquired.
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
