package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;

/** A row on the page: its title, its table, its chart, and what to know about its entrants. */
final class Section {

    private final Outcome outcome;
    private final Contestants known;

    Section(Outcome outcome, Contestants known) {
        this.outcome = outcome;
        this.known = known;
    }

    String markdown() {
        String name = outcome.heading().name();
        List<String> parts = new ArrayList<>();
        parts.add("### " + name + "\n");
        parts.add(outcome.heading().title() + ".\n");
        parts.add(new RowTable(outcome).markdown());
        if (Chart.of(outcome).isPresent()) {
            parts.add("![" + name + "](" + name + ".svg)\n");
        }
        parts.add(notes());
        parts.removeIf(String::isEmpty);
        return String.join("\n", parts);
    }

    private String notes() {
        List<String> notes = new ArrayList<>();
        for (Series series : outcome.result().series()) {
            if (!series.remark().isEmpty() && !known.isKnown(series.entrant())) {
                notes.add("- " + series.entrant() + ": " + series.remark() + ".\n");
            }
        }
        outcome.failures()
                .forEach(
                        (name, failure) -> notes.add("- " + name + " failed, and has no figures: `" + failure + "`\n"));
        return String.join("", notes);
    }
}
