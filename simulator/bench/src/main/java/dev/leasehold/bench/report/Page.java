package dev.leasehold.bench.report;

import dev.leasehold.bench.row.Outcome;
import dev.leasehold.bench.row.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page of a run, and its charts beside it. */
public final class Page {

    /** Its name. */
    public static final String FILE = "benchmarks.md";

    private final Machine machine;
    private final Plan plan;
    private final List<Outcome> outcomes;

    /** The page of what was measured. */
    public Page(Machine machine, Plan plan, List<Outcome> outcomes) {
        this.machine = machine;
        this.plan = plan;
        this.outcomes = List.copyOf(outcomes);
    }

    /** Writes it, over whatever is there. */
    public void write(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("# Benchmarks\n\n" + machine.words() + "\n" + plan + "\n```\n");
        outcomes.forEach(outcome -> new PlainTable(outcome).lines().forEach(line -> text.append(line).append('\n')));
        Files.writeString(folder.resolve(FILE), text + "```\n");
    }
}
