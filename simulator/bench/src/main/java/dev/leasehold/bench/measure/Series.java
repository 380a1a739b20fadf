package dev.leasehold.bench.measure;

import java.util.List;

/**
 * What one entrant did in all rounds.
 *
 * @param entrant its name
 * @param role on whose side it is
 * @param remark what to know about it, such as why it is quick; empty for nothing
 * @param rounds one sample each, in the order of the rounds; at least one
 */
public record Series(String entrant, Role role, String remark, List<Sample> rounds) {

    /**
     * Keeps a copy of the rounds.
     *
     * @throws IllegalArgumentException if there are none
     */
    public Series {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("'" + entrant + "' has no rounds: a series needs one at least");
        }
    }

    /** {@return whether its samples can be asked for that} */
    public boolean has(Quantity quantity) {
        return rounds.stream().allMatch(sample -> sample.quantities().contains(quantity));
    }

    /** {@return the value of each round} */
    public List<Double> values(Quantity quantity) {
        return rounds.stream().map(sample -> sample.of(quantity)).toList();
    }

    /** {@return the values of all rounds, in short} */
    public Spread spread(Quantity quantity) {
        return Spread.of(values(quantity));
    }

    /** {@return how many operations it counts in all} */
    public long operations() {
        return rounds.stream().mapToLong(Sample::operations).sum();
    }
}
