package dev.leasehold.mergequeue.replica;

import org.jspecify.annotations.Nullable;

/** No replica could decide. The event may or may not have happened; to ask again is safe. */
public final class NoOwnerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoOwnerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
