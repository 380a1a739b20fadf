package dev.leasehold.simulator.clock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine and its two clocks.
 *
 * @param monotonicNanos what the monotonic clock shows at the beginning; any value
 * @param wallNanos what the wall clock shows at the beginning
 * @param wallPrecisionNanos the wall clock shows whole multiples of this
 * @param rates how fast the monotonic clock runs, each from an instant on, the first from 0; the wall clock keeps true time apart from
 *     its steps
 * @param sessionPercent what its engine is configured with, as long as such a setting is changed on one machine after the other: sessions
 *     and heartbeats of so many percent of the history's; null for all of it
 */
public record Machine(
        long monotonicNanos,
        long wallNanos,
        long wallPrecisionNanos,
        List<Rate> rates,
        @Nullable Integer sessionPercent) {

    /** One that is configured as the history says. */
    public Machine(long monotonicNanos, long wallNanos, long wallPrecisionNanos, List<Rate> rates) {
        this(monotonicNanos, wallNanos, wallPrecisionNanos, rates, null);
    }

    public Machine {
        rates = List.copyOf(rates);
    }

    /** What such a duration of the history is on this machine. */
    public long own(long nanos) {
        return sessionPercent == null ? nanos : nanos / 100 * sessionPercent;
    }

    public Machine withSessions(@Nullable Integer percent) {
        return new Machine(monotonicNanos, wallNanos, wallPrecisionNanos, rates, percent);
    }

    /**
     * A rate of the monotonic clock.
     *
     * @param ppb a second of true time shows as 10^9 + ppb nanoseconds; above -10^9
     */
    public record Rate(long fromNanos, long ppb) {}
}
