package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * Other engines kept writing the same documents until the time budget was spent.
 *
 * <p>The operation was not carried out and never will be. It may be called again.
 *
 * <p>Either many engines write at once, or a transaction is open on the lease: mostly that of a caller that asserts it.
 * If that caller has died, the server ends its transaction after its {@code transactionLifetimeLimitSeconds}, 60 to 90
 * s by default; until then only this lease is affected. The message tells which it was, where that is known.
 */
public final class LeaseContentionException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public LeaseContentionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return true: the documents may be free then} */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
