package dev.leasehold.bench.measure;

import java.util.Map;
import java.util.Set;

/**
 * Values that were counted or read off, rather than taken from many operations.
 *
 * @param values by what they say
 * @param operations how many things were counted
 */
public record Readings(Map<Quantity, Double> values, long operations) implements Sample {

    /** Keeps a copy. */
    public Readings {
        values = Map.copyOf(values);
    }

    @Override
    public Set<Quantity> quantities() {
        return values.keySet();
    }

    @Override
    public double of(Quantity quantity) {
        Double value = values.get(quantity);
        if (value == null) {
            throw new IllegalArgumentException("these readings have no " + quantity.title());
        }
        return value;
    }
}
