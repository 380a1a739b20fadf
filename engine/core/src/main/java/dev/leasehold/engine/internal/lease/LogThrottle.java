package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseException;
import org.jspecify.annotations.Nullable;

/** Decides how failures that repeat for many leases are logged, so that an outage does not fill the log. */
final class LogThrottle {

    private LogThrottle() {}

    /** Whether this failure is a warning, the others being debug: the first one, and whenever the number has doubled. */
    static boolean isWarned(int failures) {
        return Integer.bitCount(failures) == 1;
    }

    /** The failure, to log its stack trace, if it is unexpected; null for a {@link LeaseException}, whose message says all. */
    static @Nullable Throwable stackTraceOf(Throwable failure) {
        return failure instanceof LeaseException ? null : failure;
    }
}
