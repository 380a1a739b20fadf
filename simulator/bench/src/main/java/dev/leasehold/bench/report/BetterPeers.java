package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Ratio;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a peer has the better figure, by how much, and why. */
final class BetterPeers {

    private final List<String> lines = new ArrayList<>();

    BetterPeers(List<Outcome> outcomes) {
        outcomes.forEach(this::add);
    }

    private void add(Outcome outcome) {
        // The first of them is what the row is about; the others are its variants.
        Optional<Series> ours = outcome.result().series().stream()
                .filter(each ->
                        each.role() == Role.OURS && each.has(outcome.heading().charted()))
                .findFirst();
        for (Series peer : outcome.result().series()) {
            if (ours.isPresent() && peer.role().isPeer()) {
                add(outcome.heading(), peer, ours.get());
            }
        }
    }

    private void add(Heading heading, Series peer, Series ours) {
        List<String> better = heading.columns().stream()
                .filter(quantity -> peer.has(quantity) && ours.has(quantity) && isBetter(peer, ours, quantity))
                .map(quantity -> Figures.times(Ratio.of(peer, ours, quantity)) + " the " + words(quantity))
                .toList();
        if (!better.isEmpty()) {
            lines.add("- [" + heading.name() + "](#" + heading.name() + "): " + peer.entrant() + " has " + list(better)
                    + " of " + ours.entrant() + (peer.remark().isEmpty() ? "." : ": " + peer.remark() + "."));
        }
    }

    private static boolean isBetter(Series peer, Series ours, Quantity quantity) {
        double ratio = Ratio.of(peer, ours, quantity).median();
        return quantity.isBetterWhenGreater() ? ratio > 1 : ratio < 1;
    }

    private static String words(Quantity quantity) {
        return quantity == Quantity.RATE ? "operations per second" : quantity.title();
    }

    private static String list(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    @Override
    public String toString() {
        return lines.isEmpty() ? "In no row of this run.\n" : String.join("\n", lines) + "\n";
    }
}
