package dev.leasehold.simulator.run;

import dev.leasehold.simulator.conditions.SeededRandom;

/**
 * How late a thread is that has something to do.
 *
 * @param seededRandom of this thread alone, so that others do the same with and without it
 * @param mostNanos up to so late, half of the time
 */
record Lateness(SeededRandom seededRandom, long mostNanos) {

    long nextNanos() {
        return Math.max(0, seededRandom.upTo(2 * mostNanos) - mostNanos);
    }
}
