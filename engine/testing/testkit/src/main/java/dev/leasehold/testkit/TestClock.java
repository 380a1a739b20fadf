package dev.leasehold.testkit;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** Shows the time of a test. */
final class TestClock extends Clock {

    private final WorldAccess access;
    private final Instant begin;
    private final ZoneId zone;

    TestClock(WorldAccess access, Instant begin, ZoneId zone) {
        this.access = access;
        this.begin = begin;
        this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new TestClock(access, begin, other);
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(access.nowNanos());
    }
}
