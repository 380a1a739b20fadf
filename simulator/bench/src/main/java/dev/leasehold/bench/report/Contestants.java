package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is to be known about entrants: once for all of the page where they take part in several rows. */
final class Contestants {

    private final Map<String, String> remarks = new LinkedHashMap<>();
    private final Map<String, Integer> rows = new TreeMap<>();

    Contestants(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            for (Series series : outcome.result().series()) {
                if (!series.remark().isEmpty()) {
                    remarks.put(series.entrant(), series.remark());
                    rows.merge(series.entrant(), 1, Integer::sum);
                }
            }
        }
    }

    /** Whether it is said above all rows. */
    boolean isKnown(String entrant) {
        return rows.getOrDefault(entrant, 0) > 1;
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        remarks.forEach((entrant, remark) -> {
            if (isKnown(entrant)) {
                lines.append("- ").append(entrant).append(": ").append(remark).append(".\n");
            }
        });
        return lines.toString();
    }
}
