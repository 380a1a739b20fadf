package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Unit;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of a row on the page: medians. What a peer does better than the first entrant of this library is bold. */
final class RowTable {

    private static final String NOTHING = "";

    private final Heading heading;
    private final List<Series> series;
    private final Optional<Series> ours;
    private final Optional<Series> baseline;

    RowTable(Outcome outcome) {
        this.heading = outcome.heading();
        this.series = outcome.result().series();
        // The first of them is what the row is about; the others are its variants.
        this.ours = series.stream()
                .filter(each -> each.role() == Role.OURS && each.has(heading.charted()))
                .findFirst();
        this.baseline = outcome.result().find(heading.baseline());
    }

    String markdown() {
        List<String> heads = new ArrayList<>(List.of(NOTHING));
        columns()
                .forEach(
                        quantity -> heads.add(quantity.title() + scale(quantity).unit()));
        baseline.ifPresent(each -> heads.add(heading.charted().title() + " / " + each.entrant()));
        MarkdownTable table = new MarkdownTable(heads);
        series.forEach(each -> table.add(line(each)));
        return table.toString();
    }

    /** The slowest operation of all says little where the slowest of a hundred is shown. */
    private List<Quantity> columns() {
        return heading.columns().stream()
                .filter(quantity ->
                        quantity != Quantity.MAX || !heading.columns().contains(Quantity.P99))
                .toList();
    }

    /** All of a column are shown in the unit that suits its first figure. */
    private Unit.Scale scale(Quantity quantity) {
        return series.stream()
                .filter(each -> each.has(quantity))
                .findFirst()
                .map(each -> quantity.unit().scale(each.spread(quantity).median()))
                .orElseGet(() -> quantity.unit().scale(1));
    }

    private List<String> line(Series each) {
        List<String> cells = new ArrayList<>(List.of(each.entrant()));
        for (Quantity quantity : columns()) {
            cells.add(each.has(quantity) ? cell(each, quantity) : NOTHING);
        }
        baseline.ifPresent(base -> cells.add(ratio(each, base)));
        return cells;
    }

    private String cell(Series each, Quantity quantity) {
        String value = scale(quantity).number(each.spread(quantity).median());
        return isBetterThanOurs(each, quantity) ? "**" + value + "**" : value;
    }

    private boolean isBetterThanOurs(Series each, Quantity quantity) {
        if (!each.role().isPeer() || ours.isEmpty() || !ours.get().has(quantity)) {
            return false;
        }
        double ratio = each.ratioTo(ours.get(), quantity).median();
        return quantity.isBetterWhenGreater() ? ratio > 1 : ratio < 1;
    }

    private String ratio(Series each, Series base) {
        Quantity charted = heading.charted();
        return each.has(charted) && base.has(charted)
                ? Unit.number(each.ratioTo(base, charted).median())
                : NOTHING;
    }
}
