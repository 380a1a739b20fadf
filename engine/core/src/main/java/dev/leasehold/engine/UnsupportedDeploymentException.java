package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * The deployment cannot carry leases: a standalone server; a direct connection to a secondary; a collection that is capped, a
 * view or a time series, or has a collation of its own; a MongoDB driver from before 5.2. The engine does not start.
 */
public final class UnsupportedDeploymentException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    public UnsupportedDeploymentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
