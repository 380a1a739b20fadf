package dev.leasehold.simulator.plan;

/** Lengths of time in nanoseconds. */
public final class Nanos {

    public static final long MICRO = 1_000;
    public static final long MILLI = 1_000_000;
    public static final long SECOND = 1_000_000_000;
    public static final long MINUTE = 60 * SECOND;
    public static final long DAY = 86_400 * SECOND;
    public static final long YEAR = 365 * DAY;

    private Nanos() {}
}
