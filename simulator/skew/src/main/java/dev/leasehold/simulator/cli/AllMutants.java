package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.MutationResult;
import dev.leasehold.simulator.batch.MutationRun;
import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Plants every mutant in turn, and tells how each was found. */
final class AllMutants {

    private static final double SECOND_NANOS = 1e9;

    private final Terminal terminal;
    private final RunOptions options;
    private final MutationRun run;
    private final long startNanos = System.nanoTime();

    AllMutants(Parts parts, Terminal terminal, RunOptions options) {
        this.terminal = terminal;
        this.options = options;
        this.run = new MutationRun(
                mutant -> parts.bench(options.profileFor(mutant), options.driftPpm(), mutant),
                options.seeds(),
                options.order().jobs(),
                options.histories());
    }

    Ending run() throws InterruptedException, IOException {
        List<MutationResult> results = new ArrayList<>();
        terminal.print(options.seedLine());
        terminal.print("drift bound " + options.driftPpm() + " ppm");
        terminal.print("");
        for (Mutant mutant : Mutants.all()) {
            results.add(run(mutant));
        }
        KillTable table = MutationResult.table(results);
        terminal.print("");
        terminal.out().print(table.text());
        terminal.print("");
        Path report = options.report();
        if (report != null) {
            Files.createDirectories(report);
            Files.writeString(report.resolve("kills.md"), table.markdown());
            new Tale(terminal, (System.nanoTime() - startNanos) / SECOND_NANOS)
                    .write(report, MutationResult.statistics(results));
            terminal.print("report: " + report.resolve("kills.md"));
        }
        Ending ending = MutationResult.ending(results);
        terminal.print("verdict: " + verdict(ending, table));
        terminal.print("again: " + options.commandForAllMutants());
        return ending;
    }

    private MutationResult run(Mutant mutant) throws InterruptedException {
        MutationResult result = watched(mutant);
        if (result.failure() != null) {
            new Tale(terminal, 0).tell(result.failure());
        }
        KillTable.Kill kill = result.row().kill();
        terminal.print(mutant.name() + ": "
                + (kill == null
                        ? "survived " + Words.count(result.row().histories(), "history", "histories")
                        : kill.guarantee() + " in history " + kill.firstHistory()));
        return result;
    }

    private MutationResult watched(Mutant mutant) throws InterruptedException {
        try (ProgressDisplay display = ProgressDisplay.on(terminal, new Goal(run.histories(mutant), Long.MAX_VALUE))) {
            return run.run(mutant, display);
        }
    }

    private static String verdict(Ending ending, KillTable table) {
        return switch (ending) {
            case HELD -> "all " + table.rows().size() + " mutants were found by their promises";
            case BLIND ->
                table.survivors().size() + " of " + table.rows().size() + " mutants survived: "
                        + table.survivors().stream().map(Mutant::name).collect(Collectors.joining(", "));
            case UNSAFE, NOT_LIVE, NOT_DETERMINISTIC, CRASHED -> Words.of(ending);
        };
    }
}
