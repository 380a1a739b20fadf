package dev.leasehold.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.store.WriterEntry;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How soon heartbeats of another writer are seen by somebody who looks when the forecast says so. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class HeartbeatForecastTest {

    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    /** A look takes as long, and an entry is visible in it that was written when it began. */
    private static final long READ_NANOS = 3 * MILLISECOND;
    private static final long EXACT_NANOS = 20 * MILLISECOND;

    private @Nullable HeartbeatForecast forecast;
    private int looks;

    private void look(long stampNanos, long sessionNanos, long atNanos) {
        looks++;
        forecast = HeartbeatForecast.of(
                forecast,
                new WriterEntry.Sound("b", stampNanos, null, sessionNanos, null),
                sessionNanos,
                atNanos,
                atNanos + READ_NANOS);
    }

    /** Looks until so many heartbeats were written, and returns how late the last of them was seen at the most. */
    private long sightNanos(long sessionNanos, long periodNanos, long offsetNanos, long phaseNanos, int heartbeats) {
        long nowNanos = phaseNanos;
        long seen = -1;
        long lateNanos = 0;
        while (seen < heartbeats) {
            long newest = nowNanos / periodNanos;
            if (newest > seen) {
                lateNanos = nowNanos + READ_NANOS - newest * periodNanos;
                seen = newest;
            }
            look(newest * periodNanos + offsetNanos, sessionNanos, nowNanos);
            nowNanos = Math.max(nowNanos + 1, forecast.nextLookNanos(nowNanos + READ_NANOS));
        }
        return lateNanos;
    }

    @Property
    void afterSomeHeartbeatsEachIsSeenAtOnce(
            @ForAll @LongRange(min = 2 * SECOND, max = 60 * SECOND) long sessionNanos,
            @ForAll @LongRange(min = 100, max = 480) long perMille,
            @ForAll long offsetNanos,
            @ForAll @LongRange(min = 0, max = 20 * SECOND) long phaseNanos) {
        forecast = null;
        long periodNanos = sessionNanos * perMille / 1000;
        long already = phaseNanos / periodNanos;
        long lateNanos = sightNanos(sessionNanos, periodNanos, offsetNanos, phaseNanos, (int) already + 12);
        assertThat(lateNanos).isLessThanOrEqualTo(2 * EXACT_NANOS + READ_NANOS);
    }

    @Property
    void looksCostNoMoreThanAFewForEachHeartbeat(
            @ForAll @LongRange(min = 2 * SECOND, max = 60 * SECOND) long sessionNanos,
            @ForAll @LongRange(min = 100, max = 480) long perMille,
            @ForAll long offsetNanos) {
        forecast = null;
        looks = 0;
        sightNanos(sessionNanos, sessionNanos * perMille / 1000, offsetNanos, 0, 40);
        assertThat(looks).isLessThanOrEqualTo(20 + 40 * 3);
    }

    @Test
    void firstHeartbeatsAreLookedForInPartsOfTheSession() {
        look(17, 32 * SECOND, SECOND);
        assertThat(forecast.nextLookNanos(SECOND + READ_NANOS)).isEqualTo(SECOND + READ_NANOS + 2 * SECOND);
    }

    @Test
    void shortSessionIsNotLookedAtAllTheTime() {
        look(17, MILLISECOND, SECOND);
        assertThat(forecast.nextLookNanos(SECOND)).isEqualTo(SECOND + EXACT_NANOS);
    }

    @Test
    void whoseHeartbeatFailsToComeIsLookedAtLessAndLessOften() {
        sightNanos(32 * SECOND, 10 * SECOND, 0, 0, 12);
        long dueNanos = 130 * SECOND;
        long nowNanos = dueNanos + 50 * MILLISECOND;
        long before = 0;
        for (int i = 0; i < 20; i++) {
            look(120 * SECOND, 32 * SECOND, nowNanos);
            long pauseNanos = forecast.nextLookNanos(nowNanos) - nowNanos;
            assertThat(pauseNanos).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(2 * SECOND);
            before = pauseNanos;
            nowNanos += pauseNanos;
        }
        assertThat(before).isEqualTo(2 * SECOND);
    }

    @Test
    void timesThatMakeNoSenseAreNoReasonToLookInACircle() {
        look(Long.MAX_VALUE, 32 * SECOND, SECOND);
        look(17, 32 * SECOND, 2 * SECOND);
        assertThat(forecast.nextLookNanos(2 * SECOND)).isEqualTo(4 * SECOND);
        look(Long.MAX_VALUE, 32 * SECOND, 4 * SECOND);
        assertThat(forecast.nextLookNanos(4 * SECOND)).isEqualTo(6 * SECOND);
    }
}
