package dev.leasehold.simulator.estimate;

import java.util.Arrays;

/** Times that were measured. */
public final class Sample {

    private final long[] sortedNanos;

    Sample(long[] nanos) {
        this.sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    public int size() {
        return sortedNanos.length;
    }

    /**
     * The smallest time that so many are not above.
     *
     * @param share above 0, to 1
     * @throws IllegalStateException if nothing was measured
     */
    public long quantileNanos(double share) {
        if (sortedNanos.length == 0) {
            throw new IllegalStateException("there is nothing of which a quantile could be taken");
        }
        int rank = (int) Math.ceil(share * sortedNanos.length);
        return sortedNanos[Math.max(0, rank - 1)];
    }

    public long maxNanos() {
        return quantileNanos(1);
    }

    /**
     * How many fall into each part of the time from 0 on.
     *
     * @param partNanos how long a part is
     * @param parts how many there are; what is later falls into the last
     */
    public int[] counts(long partNanos, int parts) {
        int[] counts = new int[parts];
        for (long nanos : sortedNanos) {
            counts[(int) Math.min(parts - 1, nanos / partNanos)]++;
        }
        return counts;
    }
}
