package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Unit;
import dev.leasehold.bench.measure.Verdict;
import dev.leasehold.bench.row.Outcome;
import dev.leasehold.bench.row.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page of a run, and beside it its charts and all its figures. */
public final class Page {

    /** Where it lies within the pages. Its charts are beside it. */
    public static final String FILE = "benchmarks/results.md";

    private static final String CHARTS = "benchmarks";

    private static final double SECOND_MILLIS = 1e3;

    private final Machine machine;
    private final Plan plan;
    private final List<Outcome> outcomes;

    /** The page of what was measured. */
    public Page(Machine machine, Plan plan, List<Outcome> outcomes) {
        this.machine = machine;
        this.plan = plan;
        this.outcomes = List.copyOf(outcomes);
    }

    /** Writes it into the folder of the pages, over whatever is there. */
    public void write(Path folder) throws IOException {
        Path charts = Files.createDirectories(folder.resolve(CHARTS));
        for (Outcome outcome : outcomes) {
            Optional<Chart> chart = Chart.of(outcome);
            if (chart.isPresent()) {
                Files.writeString(
                        charts.resolve(outcome.heading().name() + ".svg"),
                        chart.get().svg());
            }
        }
        Files.writeString(charts.resolve("results.csv"), ResultsCsv.of(outcomes));
        Files.writeString(folder.resolve(FILE), markdown());
    }

    /** {@return the page itself} */
    String markdown() {
        Contestants contestants = new Contestants(outcomes);
        String sections =
                outcomes.stream().map(outcome -> section(outcome, contestants)).collect(Collectors.joining("\n"));
        return Prose.read(
                "page.md",
                Map.of(
                        "machine", machine.words(),
                        "servers", machine.servers(),
                        "day", machine.day().toString(),
                        "rounds", String.valueOf(plan.rounds()),
                        "seconds", String.valueOf(plan.duration().toMillis() / SECOND_MILLIS),
                        "contestants", contestants.toString(),
                        "goals", goals(),
                        "sections", sections));
    }

    /** A row: its title, its table, its chart, and what to know about its entrants. */
    static String section(Outcome outcome, Contestants known) {
        String name = outcome.heading().name();
        List<String> parts = new ArrayList<>();
        parts.add("### " + name + "\n");
        parts.add(outcome.heading().title() + ".\n");
        parts.add(new RowTable(outcome).markdown());
        if (Chart.of(outcome).isPresent()) {
            parts.add("![" + name + "](" + name + ".svg)\n");
        }
        parts.add(notes(outcome, known));
        parts.removeIf(String::isEmpty);
        return String.join("\n", parts);
    }

    private static String notes(Outcome outcome, Contestants known) {
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

    private String goals() {
        MarkdownTable table = new MarkdownTable(List.of("goal", "row", "measured", "verdict"));
        for (Outcome outcome : outcomes) {
            String row = outcome.heading().name();
            String link = "[" + row + "](#" + row + ")";
            for (Verdict verdict : outcome.verdicts()) {
                table.add(
                        verdict instanceof Verdict.Judged judged
                                ? List.of(
                                        judged.goal().words(),
                                        link,
                                        measured(judged),
                                        judged.isMet() ? judged.words() : "**" + judged.words() + "**")
                                : List.of(verdict.goal().words(), link, "", verdict.words()));
            }
        }
        return table.toString();
    }

    /** A goal that is a value is judged by a value, any other by a ratio. */
    private static String measured(Verdict.Judged judged) {
        return judged.goal().peer() instanceof Peer.Fixed
                ? judged.values()
                : judged.ratio().show(Unit::number);
    }
}
