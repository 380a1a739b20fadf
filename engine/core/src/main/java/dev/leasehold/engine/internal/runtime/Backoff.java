package dev.leasehold.engine.internal.runtime;

/**
 * How long to wait before another try, at the most; the wait itself is drawn evenly from zero to that.
 *
 * <p>The window starts at about the time for which one transaction holds the clock document, and doubles. How many
 * others contend is not known without reading all of the clock document; doubling finds it in a few steps.
 */
public final class Backoff {

    private static final long FIRST_WINDOW_NANOS = 3_000_000;
    private static final int DOUBLINGS_MAX = 6;

    private Backoff() {}

    /**
     * The window after so many failures.
     *
     * @param failures 1 or more
     */
    public static long windowNanos(int failures) {
        return FIRST_WINDOW_NANOS << Math.min(failures - 1, DOUBLINGS_MAX);
    }

    /** Whether the window has stopped growing after so many failures. */
    public static boolean isLongest(int failures) {
        return failures > DOUBLINGS_MAX;
    }
}
