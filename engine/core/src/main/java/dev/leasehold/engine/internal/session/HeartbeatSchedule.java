package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.internal.runtime.Backoff;

/**
 * Computes when the next heartbeat is due: one period after the newest acknowledgement of any kind, and sooner if the
 * last attempt failed. Has no state.
 *
 * @param periodNanos from one acknowledgement to the next
 */
public record HeartbeatSchedule(long periodNanos) {

    /** At least this many attempts fit into the period after a failed heartbeat. */
    private static final int ATTEMPTS_A_PERIOD = 4;

    /** The wait from now on. */
    long dueInNanos(long acknowledgedNanos, long nowNanos) {
        return Math.max(0, acknowledgedNanos + periodNanos - nowNanos);
    }

    /**
     * The longest wait after a failed heartbeat; the wait itself is random, evenly from zero to this.
     *
     * @param failures in a row, 1 or more
     */
    long windowNanos(int failures) {
        return Math.min(Backoff.windowNanos(failures), periodNanos / ATTEMPTS_A_PERIOD);
    }
}
