package dev.leasehold.simulator.store;

import java.time.Instant;

/** What the tests of the contract share. */
final class Fixture {

    /** 2073-03-03T09:40:00.000000005Z: after 2038, and with an odd nanosecond. */
    static final long Z = 3_255_759_600_000_000_005L;

    static final long MINUTE = 60_000_000_000L;
    static final Instant SINCE = Instant.parse("2073-03-03T09:40:00Z");
    static final String NAMESPACE = "billing";

    private Fixture() {}
}
