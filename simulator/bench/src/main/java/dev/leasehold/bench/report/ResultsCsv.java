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

    private ResultsCsv() {}

    static String of(List<Outcome> outcomes) {
        List<String> lines = new ArrayList<>(List.of("row,entrant,quantity,median,least,greatest,operations"));
        for (Outcome outcome : outcomes) {
            for (Series series : outcome.result().series()) {
                outcome.heading().columns().stream()
                        .filter(series::has)
                        .forEach(quantity -> lines.add(line(outcome.heading().name(), series, quantity)));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String line(String row, Series series, Quantity quantity) {
        Spread spread = series.spread(quantity);
        return String.format(
                Locale.ROOT,
                "%s,\"%s\",%s,%.6g,%.6g,%.6g,%d",
                row,
                series.entrant().replace("\"", "\"\""),
                quantity.title(),
                spread.median(),
                spread.least(),
                spread.greatest(),
                series.operations());
    }
}
