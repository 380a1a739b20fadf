package dev.leasehold.bench.measure;

import java.util.ArrayList;
import java.util.List;

/** Compares two series round by round: what disturbs a whole round disturbs both. */
public final class Ratio {

    private Ratio() {}

    /**
     * The ratios of the rounds, in short.
     *
     * @param above divided
     * @param below by this
     * @throws IllegalArgumentException if they did not take part in the same rounds
     */
    public static Spread of(Series above, Series below, Quantity quantity) {
        List<Double> dividends = above.values(quantity);
        List<Double> divisors = below.values(quantity);
        if (dividends.size() != divisors.size()) {
            throw new IllegalArgumentException("'" + above.entrant() + "' has " + dividends.size() + " rounds and '"
                    + below.entrant() + "' has " + divisors.size() + ": only the same rounds can be compared");
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < dividends.size(); round++) {
            ratios.add(dividends.get(round) / divisors.get(round));
        }
        return Spread.of(ratios);
    }
}
