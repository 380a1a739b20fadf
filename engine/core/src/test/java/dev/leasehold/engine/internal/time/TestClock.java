package dev.leasehold.engine.internal.time;

/** Two time sources that move only when a test moves them. */
final class TestClock implements EngineClock {

    private long monotonicNanos;
    private long wallNanos;
    private int monotonicReadings;
    private int wallReadings;

    TestClock(long monotonicNanos, long wallNanos) {
        this.monotonicNanos = monotonicNanos;
        this.wallNanos = wallNanos;
    }

    @Override
    public long monotonicNanos() {
        monotonicReadings++;
        return monotonicNanos;
    }

    @Override
    public long wallNanos() {
        wallReadings++;
        return wallNanos;
    }

    void passes(long nanos) {
        monotonicMoves(nanos);
        wallSteps(nanos);
    }

    /** Wraps around at the ends of int64, as the real source may. */
    void monotonicMoves(long nanos) {
        monotonicNanos += nanos;
    }

    void wallSteps(long nanos) {
        wallNanos += nanos;
    }

    int monotonicReadings() {
        return monotonicReadings;
    }

    int wallReadings() {
        return wallReadings;
    }
}
