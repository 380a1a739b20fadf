package dev.leasehold.simulator.world;

import dev.leasehold.simulator.clock.MachineClock;

/** A wait until a machine's monotonic clock has run for a while. */
final class LocalWait {

    private final MachineClock clock;
    private final long fromNanos;
    private final long forNanos;
    /** What had befallen the clock when the end was last computed. While nothing more does, the end stands. */
    private int changes;

    LocalWait(MachineClock clock, long fromNanos, long forNanos) {
        this.clock = clock;
        this.fromNanos = fromNanos;
        this.forNanos = forNanos;
    }

    /** When it is going to end, in true time, as far as can be told at this instant. */
    long endNanos(long nowNanos) {
        changes = clock.changes();
        return clock.afterElapsedNanos(nowNanos, leftNanos(nowNanos));
    }

    /** To be asked when the end is reached that was computed last. */
    boolean isOver(long nowNanos) {
        return changes == clock.changes() || leftNanos(nowNanos) <= 0;
    }

    private long leftNanos(long nowNanos) {
        return nowNanos == fromNanos ? forNanos : forNanos - clock.elapsedNanos(fromNanos, nowNanos);
    }
}
