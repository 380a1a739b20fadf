package dev.leasehold.engine.world;

import dev.leasehold.engine.internal.time.EngineClock;
import java.time.Duration;

/** The clock of a test: two sources that move only when the test moves them. */
public final class TestClock implements EngineClock {

    /** 2073-03-03T09:40:00.000000005Z: after 32-bit seconds, and an odd nanosecond that no rounding survives. */
    public static final long Z = 3_255_759_600_000_000_005L;

    private volatile long monotonicNanos = -7_000_000_000L;
    private volatile long wallNanos;
    private volatile long wallPrecisionNanos = 1;

    public TestClock(long wallNanos) {
        this.wallNanos = wallNanos;
    }

    public static TestClock atZ() {
        return new TestClock(Z);
    }

    /** A clock that shows Z plus so much. */
    public static TestClock atZPlus(Duration offset) {
        return new TestClock(Z + offset.toNanos());
    }

    /** Both sources move. */
    public void advance(long nanos) {
        monotonicNanos += nanos;
        wallNanos += nanos;
    }

    public void advance(Duration duration) {
        advance(duration.toNanos());
    }

    public void stepMonotonic(long nanos) {
        monotonicNanos += nanos;
    }

    public void stepMonotonic(Duration duration) {
        stepMonotonic(duration.toNanos());
    }

    /** From now on time of day is shown in whole multiples of this. */
    public void showWallIn(long precisionNanos) {
        wallPrecisionNanos = precisionNanos;
    }

    public void stepWall(long nanos) {
        wallNanos += nanos;
    }

    public void stepWall(Duration duration) {
        stepWall(duration.toNanos());
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
