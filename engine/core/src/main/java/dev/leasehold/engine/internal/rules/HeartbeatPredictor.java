package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import org.jspecify.annotations.Nullable;

/**
 * When a look at another writer's entry will most likely show its next heartbeat, learnt from looks. The sooner the last heartbeat
 * of a writer is seen, the sooner it is certain that its session is over.
 *
 * <p>A hint, and nothing is concluded from it: a wrong one costs a look, or shows a heartbeat later. Differences between the two
 * clocks may wrap around, and are compared with each other alone.
 *
 * @param sessionNanos how long the session lasts without a heartbeat
 * @param stampNanos the newest time of the entry
 * @param periodNanos what lay between the two newest times; 0 as long as there was one
 * @param latestNanos this engine's clock when the newest time was there for certain, less that time
 * @param spreadNanos by how much earlier it may have come; negative if nothing is known of that
 * @param lookedNanos this engine's clock before the last look
 */
record HeartbeatPredictor(
        long sessionNanos, long stampNanos, long periodNanos, long latestNanos, long spreadNanos, long lookedNanos) {

    /** As exactly as this is it worthwhile to know it: looks take a few milliseconds themselves. */
    private static final long EXACT_NANOS = 20_000_000;

    /** In so many steps of a session the first heartbeats are looked for, as long as their period is not known. */
    private static final int STEPS_OF_A_SESSION = 16;

    /** In so many steps the next one is looked for where it is expected. */
    private static final int STEPS_OF_A_SPREAD = 4;

    /** The longest step. */
    private static final long STEP_MAX_NANOS = 5_000_000_000L;

    /** What is expected once the entry was read again. */
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
                ? known.lookedAt(beganNanos)
                : known.next(entry.timeNanos(), latestNanos, endedNanos - known.lookedNanos, beganNanos);
    }

    private HeartbeatPredictor lookedAt(long nanos) {
        return new HeartbeatPredictor(sessionNanos, stampNanos, periodNanos, latestNanos, spreadNanos, nanos);
    }

    /**
     * Both sights bound how long after its stamp a heartbeat comes, apart from what the clocks drift meanwhile. Where they contradict
     * each other, the network has changed, and the newer one counts.
     */
    private HeartbeatPredictor next(long newStampNanos, long newLatestNanos, long newSpreadNanos, long beganNanos) {
        long newPeriodNanos = newStampNanos - stampNanos;
        long slackNanos = newPeriodNanos >> 8;
        long sinceNewLatestNanos = latestNanos - newLatestNanos;
        long latestByNanos = Math.min(0, sinceNewLatestNanos + slackNanos);
        long earliestByNanos = spreadNanos < 0
                ? -newSpreadNanos
                : Math.max(-newSpreadNanos, sinceNewLatestNanos - spreadNanos - slackNanos);
        return earliestByNanos > latestByNanos
                ? new HeartbeatPredictor(
                        sessionNanos, newStampNanos, newPeriodNanos, newLatestNanos, newSpreadNanos, beganNanos)
                : new HeartbeatPredictor(
                        sessionNanos,
                        newStampNanos,
                        newPeriodNanos,
                        newLatestNanos + latestByNanos,
                        latestByNanos - earliestByNanos,
                        beganNanos);
    }

    /** When to look again. */
    long nextLookNanos(long nowNanos) {
        long stepNanos = Math.max(EXACT_NANOS, Math.min(STEP_MAX_NANOS, sessionNanos / STEPS_OF_A_SESSION));
        if (periodNanos <= 0 || periodNanos > sessionNanos) {
            return nowNanos + stepNanos;
        }
        long leftNanos = stampNanos + periodNanos + latestNanos - nowNanos;
        if (leftNanos > spreadNanos) {
            return nowNanos + leftNanos - spreadNanos + partNanos();
        }
        // Later than it ever was: it may come at any time, or never again.
        return nowNanos
                + (leftNanos > 0 ? Math.min(leftNanos, partNanos()) : Math.min(stepNanos, EXACT_NANOS - leftNanos));
    }

    private long partNanos() {
        return Math.max(EXACT_NANOS, spreadNanos / STEPS_OF_A_SPREAD);
    }
}
