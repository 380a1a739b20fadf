package dev.leasehold.engine.internal.runtime;

/**
 * The longest pause before the next attempt, by two schedules; the pause itself is drawn evenly from zero to that window.
 *
 * <ul>
 *   <li>{@link #windowNanos}: for attempts within one operation. It starts at about the time for which one transaction holds the clock
 *       document, and doubles. The number of contending writers is unknown without a read of the whole clock document; doubling finds it in
 *       a few steps.
 *   <li>{@link #longWindowNanos}: between whole operations. Each was already retried for the whole operation budget, unless the database
 *       refused it for good, so the window starts long, and doubles up to 10 s.
 * </ul>
 */
public final class Backoff {

    private static final long FIRST_WINDOW_NANOS = 3_000_000;
    private static final int DOUBLINGS_MAX = 6;

    private static final long FIRST_LONG_WINDOW_NANOS = 100_000_000;
    private static final long LONGEST_WINDOW_NANOS = 10_000_000_000L;
    private static final int LONG_DOUBLINGS_MAX = 7;

    private Backoff() {}

    /**
     * The window after so many failures within one operation.
     *
     * @param failures 1 or more
     */
    public static long windowNanos(int failures) {
        return FIRST_WINDOW_NANOS << Math.min(failures - 1, DOUBLINGS_MAX);
    }

    /** Whether the window within one operation has stopped growing after so many failures. */
    public static boolean isLongest(int failures) {
        return failures > DOUBLINGS_MAX;
    }

    /**
     * The window after so many failed operations.
     *
     * @param failures 1 or more
     */
    public static long longWindowNanos(int failures) {
        return Math.min(LONGEST_WINDOW_NANOS, FIRST_LONG_WINDOW_NANOS << Math.min(failures - 1, LONG_DOUBLINGS_MAX));
    }
}
