package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.internal.runtime.Backoff;

/**
 * When the next heartbeat is due: a period after the newest acknowledgement of any kind, and sooner when the last attempt
 * failed. Pure.
 *
 * @param periodNanos from one acknowledgement to the next
 */
public record HeartbeatSchedule(long periodNanos) {

    /** So many attempts at least fit between a heartbeat that fails and the next that would have been due. */
    private static final int ATTEMPTS_A_PERIOD = 4;

    /**
     * How long to wait from now on.
     *
     * @param acknowledgedNanos when the newest acknowledgement was read off the clock
     */
    long dueInNanos(long acknowledgedNanos, long nowNanos) {
        return Math.max(0, acknowledgedNanos + periodNanos - nowNanos);
    }

    /**
     * The longest wait after a heartbeat that failed; the wait itself is drawn evenly from zero to that.
     *
     * @param failures in a row, 1 or more
     */
    long windowNanos(int failures) {
        return Math.min(Backoff.windowNanos(failures), periodNanos / ATTEMPTS_A_PERIOD);
    }
}
