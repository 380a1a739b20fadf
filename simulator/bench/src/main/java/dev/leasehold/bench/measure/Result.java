package dev.leasehold.bench.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What came of a row.
 *
 * @param series one for each entrant, in the order in which they are shown
 */
public record Result(List<Series> series) {

    /** Keeps a copy. */
    public Result {
        series = List.copyOf(series);
    }

    /** {@return the series of an entrant; empty if it did not take part} */
    public Optional<Series> find(String entrant) {
        return series.stream().filter(each -> each.entrant().equals(entrant)).findFirst();
    }

    /** {@return of the series that fit and have the quantity, the one with the best median; empty if there is none} */
    public Optional<Series> best(Predicate<Role> roles, Quantity quantity) {
        Comparator<Series> byMedian =
                Comparator.comparing(each -> each.spread(quantity).median());
        return series.stream()
                .filter(each -> roles.test(each.role()) && each.has(quantity))
                .min(quantity.isBetterWhenGreater() ? byMedian.reversed() : byMedian);
    }
}
