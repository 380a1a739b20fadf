package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * Others kept writing the same documents until the time budget was spent.
 *
 * <p>The operation was not carried out and never will be. It may be called again.
 */
public final class LeaseContentionException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseContentionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
