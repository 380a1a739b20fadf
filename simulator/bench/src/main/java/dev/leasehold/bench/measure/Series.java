package dev.leasehold.bench.measure;

import java.util.List;
import java.util.stream.IntStream;

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
        return rounds.stream().allMatch(sample -> sample.values().containsKey(quantity));
    }

    /** {@return the value of each round} */
    public List<Double> values(Quantity quantity) {
        return rounds.stream().map(sample -> sample.of(quantity)).toList();
    }

    /** {@return the values of all rounds, in short} */
    public Spread spread(Quantity quantity) {
        return Spread.of(values(quantity));
    }

    /**
     * The ratios of the rounds, in short. Series are compared round by round, since what disturbs a whole round disturbs both.
     *
     * @throws IllegalArgumentException if both did not take part in the same rounds
     */
    public Spread ratioTo(Series other, Quantity quantity) {
        List<Double> dividends = values(quantity);
        List<Double> divisors = other.values(quantity);
        if (dividends.size() != divisors.size()) {
            throw new IllegalArgumentException("'" + entrant + "' has " + dividends.size() + " rounds and '"
                    + other.entrant + "' has " + divisors.size() + ": only the same rounds can be compared");
        }
        return Spread.of(IntStream.range(0, dividends.size())
                .mapToObj(round -> dividends.get(round) / divisors.get(round))
                .toList());
    }

    /** {@return how many operations it counts in all} */
    public long operations() {
        return rounds.stream().mapToLong(Sample::operations).sum();
    }
}
