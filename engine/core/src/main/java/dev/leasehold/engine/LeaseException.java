package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * Something other than a plain refusal went wrong. Each subtype says what the caller may conclude.
 *
 * <p>After a {@link LeaseOutcomeUnknownException} the operation may have been carried out, or may yet be. After any other one it was not
 * carried out and never will be. Whoever catches this type alone has to reckon with either, and does not hold the lease.
 */
public class LeaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    protected LeaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
