package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.conditions.SeededRandom;

/**
 * From a shortest time to a longest one; every time between is as likely.
 *
 * @param minNanos the shortest, at least 0
 * @param maxNanos the longest, no less
 */
public record Span(long minNanos, long maxNanos) {

    public Span {
        if (minNanos < 0 || maxNanos < minNanos) {
            throw new IllegalArgumentException("a span of " + minNanos + " to " + maxNanos
                    + " ns is refused: the first must be 0 or more, and the second no less than it");
        }
    }

    long jitterNanos() {
        return maxNanos - minNanos;
    }

    long draw(SeededRandom seededRandom) {
        return minNanos + seededRandom.upTo(jitterNanos());
    }
}
