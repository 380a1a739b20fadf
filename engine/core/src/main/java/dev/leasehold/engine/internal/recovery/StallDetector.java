package dev.leasehold.engine.internal.recovery;

import org.jspecify.annotations.Nullable;

/**
 * For how long the clock document has certainly been blocked: writes of it were in vain all that time, and {@code ticks},
 * which every write moves, stood still.
 */
final class StallDetector {

    private @Nullable Long ticks;
    private long ticksSinceNanos;
    private @Nullable Long inVainSinceNanos;

    /** The clock document was read. */
    void onRead(long seenTicks, long nowNanos) {
        if (ticks == null || ticks != seenTicks) {
            ticks = seenTicks;
            ticksSinceNanos = nowNanos;
        }
    }

    /** A write that was begun at an instant has waited in vain. */
    void onBlockedWrite(long begunNanos) {
        if (inVainSinceNanos == null) {
            inVainSinceNanos = begunNanos;
        }
    }

    /** A write was carried out, or a guard of it was looked at and did not hold. */
    void onProgress() {
        inVainSinceNanos = null;
    }

    /** The database was out of reach, which explains why writes were in vain. */
    void onUnavailable() {
        inVainSinceNanos = null;
    }

    /** Zero or less when it is not blocked, or was not seen to be. */
    long blockedNanos(long untilNanos) {
        return ticks == null || inVainSinceNanos == null ? 0 : untilNanos - Math.max(ticksSinceNanos, inVainSinceNanos);
    }
}
