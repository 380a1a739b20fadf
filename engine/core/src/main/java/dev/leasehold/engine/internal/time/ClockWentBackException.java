package dev.leasehold.engine.internal.time;

/**
 * The local monotonic clock showed less at the end of a read than at its beginning. Nothing may be concluded from that
 * read; earlier observations stay valid.
 */
public final class ClockWentBackException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClockWentBackException(long readBeganNanos, long readEndedNanos) {
        super("clock went back by " + differenceText(readBeganNanos, readEndedNanos) + " ns during a read: it began at "
                + readBeganNanos + " ns and ended at " + readEndedNanos + " ns; a read must not end before it began");
    }

    /** Two int64 values may be further apart than an int64 reaches; the unsigned reading of their difference is exact. */
    private static String differenceText(long readBeganNanos, long readEndedNanos) {
        return Long.toUnsignedString(readBeganNanos - readEndedNanos);
    }
}
