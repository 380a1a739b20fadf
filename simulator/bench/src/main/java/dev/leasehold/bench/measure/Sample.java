package dev.leasehold.bench.measure;

import java.util.Map;

/**
 * What one entrant did in one round.
 *
 * @param values by what they say
 * @param operations how many it counts
 */
public record Sample(Map<Quantity, Double> values, long operations) {

    /** Keeps a copy. */
    public Sample {
        values = Map.copyOf(values);
    }

    /**
     * A value of it.
     *
     * @throws IllegalArgumentException if it has none
     */
    public double of(Quantity quantity) {
        Double value = values.get(quantity);
        if (value == null) {
            throw new IllegalArgumentException("this sample has no " + quantity.title());
        }
        return value;
    }
}
