package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.constraints.LongRange;

/** How soon polls that follow the forecast see the heartbeats of another writer, and what that costs. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class HeartbeatPredictorPropertiesTest {

    private static final long EXACT_NANOS = 20_000_000;

    @Property
    void afterSomeHeartbeatsEachIsSeenAtOnce(
            @ForAll @LongRange(min = 2 * SECOND, max = 60 * SECOND) long sessionNanos,
            @ForAll @LongRange(min = 100, max = 480) long perMille,
            @ForAll long offsetNanos,
            @ForAll @LongRange(min = 0, max = 20 * SECOND) long phaseNanos) {
        long periodNanos = sessionNanos * perMille / 1000;
        long already = phaseNanos / periodNanos;

        long lateNanos =
                new HeartbeatWatch(sessionNanos).delayNanos(periodNanos, offsetNanos, phaseNanos, (int) already + 12);

        assertThat(lateNanos).isLessThanOrEqualTo(2 * EXACT_NANOS + HeartbeatWatch.READ_NANOS);
    }

    @Property
    void pollsCostNoMoreThanAFewForEachHeartbeat(
            @ForAll @LongRange(min = 2 * SECOND, max = 60 * SECOND) long sessionNanos,
            @ForAll @LongRange(min = 100, max = 480) long perMille,
            @ForAll long offsetNanos) {
        HeartbeatWatch watch = new HeartbeatWatch(sessionNanos);

        watch.delayNanos(sessionNanos * perMille / 1000, offsetNanos, 0, 40);

        assertThat(watch.polls()).isLessThanOrEqualTo(20 + 40 * 3);
    }
}
