package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import org.jspecify.annotations.Nullable;

/**
 * Predicts when a read of another writer's entry will show its next heartbeat, from the reads so far. The sooner the
 * last heartbeat of a writer is read, the sooner its session has certainly expired.
 *
 * <p>A wrong prediction costs a read, or shows a heartbeat later. Differences between the two clocks may wrap around and
 * are compared only with each other.
 *
 * @param sessionNanos the session length
 * @param stampNanos the newest time of the entry
 * @param periodNanos the difference between the two newest times; 0 as long as there was only one
 * @param latestNanos the latest arrival of the newest time on this engine's clock, minus that time
 * @param spreadNanos by how much earlier it may have arrived; negative if unknown
 * @param lastReadNanos this engine's clock before the last read
 */
record HeartbeatPredictor(
        long sessionNanos, long stampNanos, long periodNanos, long latestNanos, long spreadNanos, long lastReadNanos) {

    /** A read itself takes a few milliseconds. */
    private static final long RESOLUTION_NANOS = 20_000_000;

    /** While the period is unknown, the entry is read so many times per session length. */
    private static final int READS_PER_SESSION = 16;

    /** The interval in which the next heartbeat is expected is divided into so many reads. */
    private static final int READS_PER_SPREAD = 4;

    /** The longest time between two reads while the period is unknown. */
    private static final long STEP_MAX_NANOS = 5_000_000_000L;

    static HeartbeatPredictor of(
            @Nullable HeartbeatPredictor known,
            WriterEntry.Sound entry,
            long sessionNanos,
            long beganNanos,
            long endedNanos) {
        long latestNanos = endedNanos - entry.timeNanos();
        if (known == null) {
            return new HeartbeatPredictor(sessionNanos, entry.timeNanos(), 0, latestNanos, -1, beganNanos);
        }
        return known.stampNanos == entry.timeNanos()
                ? known.afterRead(beganNanos)
                : known.next(entry.timeNanos(), latestNanos, endedNanos - known.lastReadNanos, beganNanos);
    }

    private HeartbeatPredictor afterRead(long nanos) {
        return new HeartbeatPredictor(sessionNanos, stampNanos, periodNanos, latestNanos, spreadNanos, nanos);
    }

    /**
     * Both reads bound the delay between stamp and arrival, apart from the drift between them. If they contradict each
     * other, the network has changed, and the newer one counts.
     */
    private HeartbeatPredictor next(long newStampNanos, long newLatestNanos, long newSpreadNanos, long beganNanos) {
        long newPeriodNanos = newStampNanos - stampNanos;
        long slackNanos = newPeriodNanos >> 8;
        long sinceNewLatestNanos = latestNanos - newLatestNanos;
        long latestByNanos = Math.min(0, sinceNewLatestNanos + slackNanos);
        long earliestByNanos = spreadNanos < 0
                ? -newSpreadNanos
                : Math.max(-newSpreadNanos, sinceNewLatestNanos - spreadNanos - slackNanos);
        boolean contradictory = earliestByNanos > latestByNanos;
        return new HeartbeatPredictor(
                sessionNanos,
                newStampNanos,
                newPeriodNanos,
                contradictory ? newLatestNanos : newLatestNanos + latestByNanos,
                contradictory ? newSpreadNanos : latestByNanos - earliestByNanos,
                beganNanos);
    }

    long nextReadNanos(long nowNanos) {
        long stepNanos = Math.max(RESOLUTION_NANOS, Math.min(STEP_MAX_NANOS, sessionNanos / READS_PER_SESSION));
        if (periodNanos <= 0 || periodNanos > sessionNanos) {
            return nowNanos + stepNanos;
        }
        long leftNanos = stampNanos + periodNanos + latestNanos - nowNanos;
        if (leftNanos > spreadNanos) {
            return nowNanos + leftNanos - spreadNanos + spreadStepNanos();
        }
        // The heartbeat is overdue: it may arrive at any time, or never.
        return nowNanos
                + (leftNanos > 0
                        ? Math.min(leftNanos, spreadStepNanos())
                        : Math.min(stepNanos, RESOLUTION_NANOS - leftNanos));
    }

    private long spreadStepNanos() {
        return Math.max(RESOLUTION_NANOS, spreadNanos / READS_PER_SPREAD);
    }
}
