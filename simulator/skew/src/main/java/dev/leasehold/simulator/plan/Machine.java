package dev.leasehold.simulator.plan;

import java.util.List;

/**
 * A machine and its two clocks.
 *
 * @param monotonicNanos what the monotonic clock shows at the beginning; any value
 * @param wallNanos what the wall clock shows at the beginning
 * @param wallPrecisionNanos the wall clock shows whole multiples of this
 * @param rates how fast the monotonic clock runs, each from an instant on, the first from 0; the wall clock keeps true time apart from
 *     its steps
 */
public record Machine(long monotonicNanos, long wallNanos, long wallPrecisionNanos, List<Rate> rates) {

    public Machine {
        rates = List.copyOf(rates);
    }

    /**
     * A rate of the monotonic clock.
     *
     * @param fromNanos from when on
     * @param ppb a second of true time shows as 10^9 + ppb nanoseconds; above -10^9
     */
    public record Rate(long fromNanos, long ppb) {}
}
