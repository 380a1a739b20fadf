package dev.leasehold.simulator.plan;

/** Lengths of time in nanoseconds. */
final class Nanos {

    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;
    static final long DAY = 86_400 * SECOND;
    static final long YEAR = 365 * DAY;

    private Nanos() {}
}
