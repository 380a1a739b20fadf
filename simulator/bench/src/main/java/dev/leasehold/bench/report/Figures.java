package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Spread;
import dev.leasehold.bench.measure.Unit;

/** Ratios as people read them. */
final class Figures {

    private Figures() {}

    static String times(double ratio) {
        return Unit.number(ratio) + " x";
    }

    static String times(Spread ratio) {
        return ratio.least() == ratio.greatest()
                ? times(ratio.median())
                : times(ratio.median()) + " (" + times(ratio.least()) + " to " + times(ratio.greatest()) + ")";
    }
}
