package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseException;
import org.jspecify.annotations.Nullable;

/** Tells, for the log, what should never happen from what happens now and then, of which the message says all. */
final class UnexpectedFailure {

    private UnexpectedFailure() {}

    /** The failure, for its stack trace, if it should never happen; null otherwise. */
    static @Nullable Throwable in(Throwable failure) {
        return failure instanceof LeaseException ? null : failure;
    }
}
