package dev.leasehold.engine.fakes;

import dev.leasehold.engine.internal.time.EngineClock;

/** Two time sources that move only when a test moves them. */
public final class FakeClock implements EngineClock {

    /** 2073-03-03T09:40:00.000000005Z: after 32-bit seconds, and an odd nanosecond that no rounding survives. */
    public static final long Z = 3_255_759_600_000_000_005L;

    private volatile long monotonicNanos = -7_000_000_000L;
    private volatile long wallNanos;
    private volatile long wallPrecisionNanos = 1;

    public FakeClock(long wallNanos) {
        this.wallNanos = wallNanos;
    }

    /** Both sources move. */
    public void advance(long nanos) {
        monotonicNanos += nanos;
        wallNanos += nanos;
    }

    public void stepMonotonic(long nanos) {
        monotonicNanos += nanos;
    }

    /** From now on time of day is shown in whole multiples of this. */
    public void showWallIn(long precisionNanos) {
        wallPrecisionNanos = precisionNanos;
    }

    public void stepWall(long nanos) {
        wallNanos += nanos;
    }

    @Override
    public long monotonicNanos() {
        return monotonicNanos;
    }

    @Override
    public long wallNanos() {
        return wallNanos - Math.floorMod(wallNanos, wallPrecisionNanos);
    }
}
