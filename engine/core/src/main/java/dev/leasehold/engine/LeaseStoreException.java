package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The database refused: a missing right, credentials that it does not accept, a closed client, a document validator.
 * Trying again does not help.
 *
 * <p>The operation was not carried out and never will be. An unexpected error of the engine ends with this exception,
 * too. One exception: as the end of {@link LeaseOutcomeUnknownException#resolution()} it means that the outcome can no
 * longer be known.
 */
public final class LeaseStoreException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
