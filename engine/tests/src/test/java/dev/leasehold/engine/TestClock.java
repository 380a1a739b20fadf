package dev.leasehold.engine;

import dev.leasehold.engine.internal.time.EngineClock;
import java.time.Duration;

/** A clock whose two sources move only when the test moves them. */
final class TestClock implements EngineClock {

    /** 2073-03-03T09:40:00.000000005Z: after 32-bit seconds, and an odd nanosecond that no rounding survives. */
    static final long Z = 3_255_759_600_000_000_005L;

    private volatile long monotonicNanos = -7_000_000_000L;
    private volatile long wallNanos;

    private TestClock(long wallNanos) {
        this.wallNanos = wallNanos;
    }

    static TestClock atZ() {
        return new TestClock(Z);
    }

    /** A clock that shows Z plus so much. */
    static TestClock atZPlus(Duration offset) {
        return new TestClock(Z + offset.toNanos());
    }

    void advance(Duration duration) {
        advanceNanos(duration.toNanos());
    }

    void advanceNanos(long nanos) {
        monotonicNanos += nanos;
        wallNanos += nanos;
    }

    void stepWall(Duration duration) {
        wallNanos += duration.toNanos();
    }

    void stepMonotonic(Duration duration) {
        monotonicNanos += duration.toNanos();
    }

    @Override
    public long monotonicNanos() {
        return monotonicNanos;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }
}
