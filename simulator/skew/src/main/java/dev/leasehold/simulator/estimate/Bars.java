package dev.leasehold.simulator.estimate;

import java.util.Arrays;

/**
 * How delays spread, in even parts of the time from 0 on.
 *
 * @param partNanos how long a part is
 * @param counts how many fall into each
 */
record Bars(long partNanos, int[] counts) {

    private static final int PARTS_MAX = 24;
    /** Round lengths, so that the marks are round. */
    private static final long[] STEPS = {1, 2, 5};

    static Bars of(TakeOvers line) {
        long endNanos = Math.max(line.delays().maxNanos(), line.ruleNanos());
        long partNanos = roundUp(endNanos / PARTS_MAX + 1);
        int parts = (int) (endNanos / partNanos) + 1;
        return new Bars(partNanos, line.delays().counts(partNanos, parts));
    }

    static long roundUp(long nanos) {
        for (long power = 1; ; power *= 10) {
            for (long step : STEPS) {
                if (step * power >= nanos) {
                    return step * power;
                }
            }
        }
    }

    /** The one before the first that is not empty. */
    int first() {
        int first = 0;
        while (first < counts.length - 1 && counts[first] == 0 && counts[first + 1] == 0) {
            first++;
        }
        return first;
    }

    int highest() {
        return Math.max(1, Arrays.stream(counts).max().orElse(1));
    }
}
