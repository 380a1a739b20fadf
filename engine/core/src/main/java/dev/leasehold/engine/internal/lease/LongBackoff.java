package dev.leasehold.engine.internal.lease;

/**
 * How long to wait before another try, at the most; the wait itself is drawn evenly from zero to that.
 *
 * <p>What fails here was tried over and over below for the whole operation budget, unless the database refused it for good. So the
 * window starts long, and doubles until it is at the longest.
 */
final class LongBackoff {

    private static final long FIRST_NANOS = 100_000_000;
    private static final long LONGEST_NANOS = 10_000_000_000L;
    private static final int DOUBLINGS_MAX = 7;

    private LongBackoff() {}

    /**
     * The window after so many failures.
     *
     * @param failures 1 or more
     */
    static long windowNanos(int failures) {
        return Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures - 1, DOUBLINGS_MAX));
    }
}
