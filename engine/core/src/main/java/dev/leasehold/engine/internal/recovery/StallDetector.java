package dev.leasehold.engine.internal.recovery;

import org.jspecify.annotations.Nullable;

/**
 * Measures for how long the clock document has certainly been blocked: all writes of it failed in that time, and
 * {@code ticks}, which every write increments, stood still.
 */
final class StallDetector {

    private @Nullable Long ticks;
    private long ticksSinceNanos;
    private @Nullable Long writesBlockedSinceNanos;

    /** The clock document was read. */
    void onRead(long ticksRead, long nowNanos) {
        if (ticks == null || ticks != ticksRead) {
            ticks = ticksRead;
            ticksSinceNanos = nowNanos;
        }
    }

    /** A write that began at the given time was blocked and has failed. */
    void onBlockedWrite(long begunNanos) {
        if (writesBlockedSinceNanos == null) {
            writesBlockedSinceNanos = begunNanos;
        }
    }

    /** A guard was evaluated; or the database was unreachable, which explains why writes failed. */
    void onUnblocked() {
        writesBlockedSinceNanos = null;
    }

    /** Zero or less if the clock document is not known to be blocked. */
    long blockedNanos(long untilNanos) {
        return ticks == null || writesBlockedSinceNanos == null
                ? 0
                : untilNanos - Math.max(ticksSinceNanos, writesBlockedSinceNanos);
    }
}
