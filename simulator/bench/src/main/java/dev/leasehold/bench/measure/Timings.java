package dev.leasehold.bench.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
        @Nullable Waits waits) {

    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double HALF = 50;
    private static final double ALL_BUT_ONE_IN_A_HUNDRED = 99;
    private static final double SECOND_NANOS = 1e9;

    /** {@return a sample of operations that all ended in that time} */
    public static Sample ofAll(Histogram latencyNanos, long inNanos) {
        return new Timings(latencyNanos, latencyNanos.getTotalCount(), inNanos, null, null).sample();
    }

    /** {@return the same with what it cost} */
    public Timings at(ProcessCost cost) {
        return new Timings(latencyNanos, ended, inNanos, cost, waits);
    }

    /** {@return where latencies of up to an hour are counted; for one thread} */
    public static Histogram newHistogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    /** {@return what several callers or processes did in the same turn, as if one had done it} */
    public static Timings sum(List<Timings> parts) {
        Histogram latencies = newHistogram();
        long ended = 0;
        long inNanos = 1;
        ProcessCost cost = new ProcessCost(0, 0);
        List<List<Waits.Wait>> waits = new ArrayList<>();
        for (Timings part : parts) {
            latencies.add(part.latencyNanos);
            ended += part.ended;
            inNanos = Math.max(inNanos, part.inNanos);
            cost = cost == null || part.cost == null ? null : cost.plus(part.cost);
            if (part.waits != null) {
                waits.addAll(part.waits.ofCallers());
            }
        }
        return new Timings(latencies, ended, inNanos, cost, waits.isEmpty() ? null : new Waits(waits));
    }

    /** {@return the quantities, without those that were not measured} */
    public Sample sample() {
        Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
        values.put(Quantity.P50, (double) latencyNanos.getValueAtPercentile(HALF));
        values.put(Quantity.P99, (double) latencyNanos.getValueAtPercentile(ALL_BUT_ONE_IN_A_HUNDRED));
        values.put(Quantity.MAX, (double) latencyNanos.getMaxValue());
        values.put(Quantity.RATE, ended * SECOND_NANOS / inNanos);
        if (cost != null && ended > 0) {
            values.put(Quantity.PROCESSOR, (double) cost.processorNanos() / ended);
            if (cost.knowsThreadWaits()) {
                values.put(Quantity.THREAD_WAITS, (double) cost.threadWaits() / ended);
            }
        }
        if (waits != null && !waits.isEmpty()) {
            values.put(Quantity.LONGEST_WAIT, waits.longestByMean());
            values.put(Quantity.IN_ORDER, waits.inOrder());
        }
        return new Sample(values, latencyNanos.getTotalCount());
    }
}
