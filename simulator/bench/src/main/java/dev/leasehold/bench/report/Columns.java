package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Ratio;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Spread;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The table of a row in cells, whatever it is drawn with. */
final class Columns {

    private static final String NOTHING = "";

    private final Outcome outcome;

    Columns(Outcome outcome) {
        this.outcome = outcome;
    }

    List<String> heads() {
        Heading heading = outcome.heading();
        List<String> heads = new ArrayList<>(List.of(""));
        for (Quantity quantity : heading.columns()) {
            heads.add(quantity.title());
        }
        baseline().ifPresent(baseline -> heads.add(heading.charted().title() + " / " + baseline.entrant()));
        heads.add("counted");
        return heads;
    }

    List<List<String>> lines() {
        return outcome.result().series().stream().map(this::line).toList();
    }

    private List<String> line(Series series) {
        List<String> cells = new ArrayList<>(List.of(series.entrant()));
        for (Quantity quantity : outcome.heading().columns()) {
            cells.add(series.has(quantity) ? cell(quantity, series.spread(quantity)) : NOTHING);
        }
        baseline().ifPresent(baseline -> cells.add(ratio(series, baseline)));
        cells.add(String.format(Locale.ROOT, "%,d", series.operations()));
        return cells;
    }

    private Optional<Series> baseline() {
        return outcome.result().find(outcome.heading().baseline());
    }

    private static String cell(Quantity quantity, Spread spread) {
        return Figures.spread(spread, quantity.unit()::show);
    }

    private String ratio(Series series, Series baseline) {
        Quantity charted = outcome.heading().charted();
        return series.has(charted) && baseline.has(charted)
                ? Figures.times(Ratio.of(series, baseline, charted).median())
                : NOTHING;
    }
}
