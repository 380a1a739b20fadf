package dev.leasehold.engine.internal.time;

/** Instants and durations that the tests of this package share. */
final class Fixture {

    /** 2073-03-03T09:40:00.000000005Z: after 2038, and with an odd nanosecond. */
    static final long Z = 3_255_759_600_000_000_005L;

    static final long SECOND = 1_000_000_000;
    static final long HOUR = 3600 * SECOND;

    static final Drift NO_DRIFT = new Drift(0);
    static final Drift DEFAULT_DRIFT = new Drift(1000);

    private Fixture() {}

    /** Whether the process may act as holder. */
    static boolean holds(Validity validity, long nowNanos, long wallNanos) {
        return validity.remainingNanos(nowNanos, wallNanos) > 0;
    }
}
