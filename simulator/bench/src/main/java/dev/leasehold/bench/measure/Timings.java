package dev.leasehold.bench.measure;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long operations took, and how many there were.
 *
 * @param latencyNanos of each operation
 * @param ended how many of them ended in time, which is what the rate is of; what had begun before may be among them
 * @param inNanos the time in which they did
 * @param cost of the processes in that time; null if it was not measured
 * @param waits for one lock that all wanted; null if each had a lock of its own
 */
public record Timings(
        Histogram latencyNanos,
        long ended,
        long inNanos,
        @Nullable ProcessCost cost,
        @Nullable Waits waits) implements Sample {

    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double HALF = 50;
    private static final double ALL_BUT_ONE_IN_A_HUNDRED = 99;
    private static final double SECOND_NANOS = 1e9;

    /** {@return timings of operations that all ended in that time} */
    public static Timings ofAll(Histogram latencyNanos, long inNanos) {
        return new Timings(latencyNanos, latencyNanos.getTotalCount(), inNanos, null, null);
    }

    /** {@return the same with what it cost} */
    public Timings at(ProcessCost cost) {
        return new Timings(latencyNanos, ended, inNanos, cost, waits);
    }

    /** {@return where latencies of up to an hour are counted; for one thread} */
    public static Histogram newHistogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    @Override
    public Set<Quantity> quantities() {
        Set<Quantity> quantities = EnumSet.of(Quantity.P50, Quantity.P99, Quantity.MAX, Quantity.RATE);
        if (cost != null && ended > 0) {
            quantities.add(Quantity.PROCESSOR);
            if (cost.knowsThreadWaits()) {
                quantities.add(Quantity.THREAD_WAITS);
            }
        }
        if (waits != null && !waits.isEmpty()) {
            quantities.add(Quantity.LONGEST_WAIT);
            quantities.add(Quantity.IN_ORDER);
        }
        return quantities;
    }

    @Override
    public double of(Quantity quantity) {
        if (!quantities().contains(quantity)) {
            throw new IllegalArgumentException("these timings have no " + quantity.title());
        }
        return switch (quantity) {
            case P50 -> latencyNanos.getValueAtPercentile(HALF);
            case P99 -> latencyNanos.getValueAtPercentile(ALL_BUT_ONE_IN_A_HUNDRED);
            case MAX -> latencyNanos.getMaxValue();
            case RATE -> ended * SECOND_NANOS / inNanos;
            case PROCESSOR -> (double) Objects.requireNonNull(cost).processorNanos() / ended;
            case LONGEST_WAIT -> Objects.requireNonNull(waits).longestByMean();
            case IN_ORDER -> Objects.requireNonNull(waits).inOrder();
            case THREAD_WAITS -> (double) Objects.requireNonNull(cost).threadWaits() / ended;
            default -> throw new IllegalArgumentException("timings have no " + quantity.title());
        };
    }

    @Override
    public long operations() {
        return latencyNanos.getTotalCount();
    }
}
