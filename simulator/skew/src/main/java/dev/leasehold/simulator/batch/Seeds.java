package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.conditions.SeededRandom;

/** Which history is played in which place of a batch. */
public sealed interface Seeds {

    /**
     * The seed of a history.
     *
     * @param index its place in the batch, from 0
     */
    long seed(long index);

    /** How many there are. */
    long count();

    /** The option that asks for the same ones again. */
    String option();

    /**
     * Dealt out from one root, as many as one likes.
     *
     * @param root everything comes from it
     */
    record FromRoot(long root) implements Seeds {

        @Override
        public long seed(long index) {
            // Not negative, so that every seed can be typed as it is printed.
            return new SeededRandom(new SeededRandom(root).next() + index).next() & Long.MAX_VALUE;
        }

        @Override
        public long count() {
            return Long.MAX_VALUE;
        }

        @Override
        public String option() {
            return "--seed " + root;
        }
    }

    /**
     * Exactly these histories.
     *
     * @param first the seed of the first one, at least 0
     * @param last the seed of the last one, at least the first
     */
    record Range(long first, long last) implements Seeds {

        public Range {
            if (first < 0 || last < first || last - first == Long.MAX_VALUE) {
                throw new IllegalArgumentException("seeds " + first + ".." + last
                        + " are refused: the first must be 0 or more, and the last no less than it");
            }
        }

        @Override
        public long seed(long index) {
            return first + index;
        }

        @Override
        public long count() {
            return last - first + 1;
        }

        @Override
        public String option() {
            return "--seeds " + first + ".." + last;
        }
    }
}
