package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Unit;
import dev.leasehold.bench.measure.Verdict;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A row for a terminal. */
public final class PlainTable {

    private static final String GAP = "  ";
    private static final String NOTHING = "";

    private final Outcome outcome;
    private final Heading heading;
    private final Optional<Series> baseline;

    /** The table of a row. */
    public PlainTable(Outcome outcome) {
        this.outcome = outcome;
        this.heading = outcome.heading();
        this.baseline = outcome.result().find(heading.baseline());
    }

    /** {@return the table and the verdicts, in lines} */
    public List<String> lines() {
        List<List<String>> cells = new ArrayList<>(List.of(heads()));
        outcome.result().series().forEach(series -> cells.add(cells(series)));
        List<String> lines = new ArrayList<>(List.of("", heading.name() + ": " + heading.title()));
        cells.forEach(line -> lines.add(GAP + line(line, cells)));
        outcome.failures().forEach((name, failure) -> lines.add(GAP + name + " failed: " + failure));
        outcome.verdicts().forEach(verdict -> lines.add(GAP + words(verdict)));
        return lines;
    }

    private List<String> heads() {
        List<String> heads = new ArrayList<>(List.of(NOTHING));
        heading.columns().forEach(quantity -> heads.add(quantity.title()));
        baseline.ifPresent(base -> heads.add(heading.charted().title() + " / " + base.entrant()));
        heads.add("counted");
        return heads;
    }

    private List<String> cells(Series series) {
        List<String> cells = new ArrayList<>(List.of(series.entrant()));
        for (Quantity quantity : heading.columns()) {
            cells.add(series.has(quantity) ? series.spread(quantity).show(quantity.unit()::show) : NOTHING);
        }
        baseline.ifPresent(base -> cells.add(
                series.has(heading.charted()) && base.has(heading.charted())
                        ? times(series.ratioTo(base, heading.charted()).median())
                        : NOTHING));
        cells.add(String.format(Locale.ROOT, "%,d", series.operations()));
        return cells;
    }

    private static String line(List<String> line, List<List<String>> all) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < line.size(); column++) {
            int at = column;
            int width =
                    all.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
            String cell = line.get(column);
            String space = " ".repeat(width - cell.length());
            text.append(column == 0 ? cell + space : GAP + space + cell);
        }
        return text.toString().stripTrailing();
    }

    private static String words(Verdict verdict) {
        return verdict instanceof Verdict.Judged judged
                ? judged.words() + ": " + judged.goal().words() + "; is "
                        + judged.ratio().show(PlainTable::times) + ", " + judged.values()
                : verdict.words() + " (" + verdict.goal().words() + ")";
    }

    private static String times(double ratio) {
        return Unit.number(ratio) + " x";
    }
}
