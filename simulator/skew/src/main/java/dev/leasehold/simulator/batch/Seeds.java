package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.conditions.SeededRandom;

/**
 * Which history is played in which place of a batch.
 *
 * @param first the root from which all are drawn, or the seed of the first
 * @param count how many there are
 * @param drawn whether they are drawn from a root; else each is the one before plus one
 */
public record Seeds(long first, long count, boolean drawn) {

    /** Drawn from one root, as many as one likes. */
    public static Seeds fromRoot(long root) {
        return new Seeds(root, Long.MAX_VALUE, true);
    }

    /**
     * Exactly these histories.
     *
     * @param first the seed of the first one, at least 0
     * @param last the seed of the last one, at least the first
     */
    public static Seeds range(long first, long last) {
        if (first < 0 || last < first || last - first == Long.MAX_VALUE) {
            throw new IllegalArgumentException("seeds " + first + ".." + last
                    + " are refused: the first must be 0 or more, and the last no less than it");
        }
        return new Seeds(first, last - first + 1, false);
    }

    /**
     * The seed of a history.
     *
     * @param index its place in the batch, from 0
     */
    public long seed(long index) {
        // Not negative, so that every seed can be typed as it is printed.
        return drawn ? new SeededRandom(new SeededRandom(first).next() + index).next() & Long.MAX_VALUE : first + index;
    }

    /** The option that asks for the same ones again. */
    public String option() {
        return drawn ? "--seed " + first : "--seeds " + first + ".." + (first + count - 1);
    }
}
