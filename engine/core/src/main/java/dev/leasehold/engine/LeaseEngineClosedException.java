package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The engine was closed. The operation was not carried out and never will be.
 */
public final class LeaseEngineClosedException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseEngineClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
