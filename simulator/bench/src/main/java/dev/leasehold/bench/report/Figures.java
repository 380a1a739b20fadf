package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Spread;
import dev.leasehold.bench.measure.Unit;
import java.util.function.DoubleFunction;

/** Ratios and spreads as people read them. */
final class Figures {

    private Figures() {}

    static String times(double ratio) {
        return Unit.number(ratio) + " x";
    }

    static String times(Spread ratio) {
        return spread(ratio, Figures::times);
    }

    /** The median, and the least and the greatest where they look different. */
    static String spread(Spread spread, DoubleFunction<String> show) {
        String least = show.apply(spread.least());
        String greatest = show.apply(spread.greatest());
        String median = show.apply(spread.median());
        return least.equals(greatest) ? median : median + " (" + least + " to " + greatest + ")";
    }
}
