package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Ratio;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
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
        Quantity quantity = outcome.heading().charted();
        // The first of them is what the row is about; the others are its variants.
        Optional<Series> ours = outcome.result().series().stream()
                .filter(each -> each.role() == Role.OURS && each.has(quantity))
                .findFirst();
        for (Series peer : outcome.result().series()) {
            if (ours.isPresent() && peer.role().isPeer() && peer.has(quantity) && isBetter(peer, ours.get(), quantity)) {
                lines.add(line(outcome.heading().name(), peer, ours.get(), quantity));
            }
        }
    }

    private static boolean isBetter(Series peer, Series ours, Quantity quantity) {
        double ratio = Ratio.of(peer, ours, quantity).median();
        return quantity.isBetterWhenGreater() ? ratio > 1 : ratio < 1;
    }

    private static String line(String row, Series peer, Series ours, Quantity quantity) {
        return "- [" + row + "](#" + row + "): " + peer.entrant() + " has " + Figures.times(Ratio.of(peer, ours, quantity))
                + " the " + (quantity == Quantity.RATE ? "operations per second" : quantity.title()) + " of " + ours.entrant()
                + (peer.remark().isEmpty() ? "." : ": " + peer.remark() + ".");
    }

    @Override
    public String toString() {
        return lines.isEmpty() ? "In no row of this run.\n" : String.join("\n", lines) + "\n";
    }
}
