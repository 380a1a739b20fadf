package dev.leasehold.bench.measure;

/** What a sample can be asked for. */
public enum Quantity {
    /** Half of the operations took at most so many nanoseconds. */
    P50("p50", Unit.TIME),
    /** All but one in a hundred took at most so many nanoseconds. */
    P99("p99", Unit.TIME),
    /** None took longer, in nanoseconds. */
    MAX("max", Unit.TIME),
    /** Operations per second. */
    RATE("per second", Unit.RATE),
    /** Processor time of the callers' processes for each operation, in nanoseconds. */
    PROCESSOR("processor time", Unit.TIME),
    /** How often a thread of the callers' processes waited for each operation. */
    THREAD_WAITS("thread waits", Unit.COUNT),
    /** The longest wait for a lock, divided by the mean. */
    LONGEST_WAIT("longest wait / mean", Unit.COUNT),
    /** The share of the waits in which no other caller had the lock twice. */
    IN_ORDER("in order", Unit.SHARE),
    /** Writes that a server saw, per period. */
    WRITES("writes per period", Unit.COUNT),
    /** The same for each lease that was held. */
    WRITES_PER_LEASE("writes per lease and period", Unit.COUNT),
    /** Bytes. */
    BYTES("bytes per lease", Unit.BYTES);

    private final String title;
    private final Unit unit;

    Quantity(String title, Unit unit) {
        this.title = title;
        this.unit = unit;
    }

    /** {@return the head of its column} */
    public String title() {
        return title;
    }

    /** {@return in which its values are shown} */
    public Unit unit() {
        return unit;
    }

    /** {@return whether the greater of two values is the better one} */
    public boolean isBetterWhenGreater() {
        return this == RATE || this == IN_ORDER;
    }
}
