package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The answer of the database was lost: the operation may have been carried out, or may yet be.
 *
 * <p>Do not act as holder: this engine forms no belief from it. A later call reads how the lease stands. A gated
 * transaction is safe in any case, since the assertion is judged by the database.
 */
public final class LeaseOutcomeUnknownException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseOutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
