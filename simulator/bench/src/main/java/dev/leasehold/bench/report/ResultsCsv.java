package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Spread;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All figures of a run for programs: times in nanoseconds, rates per second. */
final class ResultsCsv {

    private final List<String> lines =
            new ArrayList<>(List.of("row,entrant,quantity,median,least,greatest,operations"));

    ResultsCsv(List<Outcome> outcomes) {
        outcomes.forEach(outcome -> outcome.result().series().forEach(series -> add(outcome, series)));
    }

    private void add(Outcome outcome, Series series) {
        for (Quantity quantity : outcome.heading().columns()) {
            if (series.has(quantity)) {
                Spread spread = series.spread(quantity);
                lines.add(String.format(
                        Locale.ROOT,
                        "%s,%s,%s,%.6g,%.6g,%.6g,%d",
                        outcome.heading().name(),
                        quoted(series.entrant()),
                        quantity.title(),
                        spread.median(),
                        spread.least(),
                        spread.greatest(),
                        series.operations()));
            }
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public String toString() {
        return String.join("\n", lines) + "\n";
    }
}
