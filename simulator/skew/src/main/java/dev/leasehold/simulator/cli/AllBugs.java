package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.BugHunt;
import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Hunted;
import dev.leasehold.simulator.bugs.KillTable;
import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.bugs.PlantedBugs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Plants every bug in turn, and tells how each was found. */
final class AllBugs {

    private static final double SECOND_NANOS = 1e9;

    private final Terminal terminal;
    private final RunOptions options;
    private final BugHunt hunt;
    private final long startNanos = System.nanoTime();

    AllBugs(Parts parts, Terminal terminal, RunOptions options) {
        this.terminal = terminal;
        this.options = options;
        this.hunt = new BugHunt(
                bug -> parts.bench(options.profileFor(bug), options.driftPpm(), bug),
                options.seeds(),
                options.order().jobs(),
                options.histories());
    }

    Ending hunt() throws InterruptedException, IOException {
        List<Hunted> hunted = new ArrayList<>();
        terminal.print(options.seedLine());
        terminal.print("drift bound " + options.driftPpm() + " ppm");
        terminal.print("");
        for (PlantedBug bug : PlantedBugs.all()) {
            hunted.add(hunt(bug));
        }
        KillTable table = Hunted.table(hunted);
        terminal.print("");
        terminal.out().print(table.text());
        terminal.print("");
        Path report = options.report();
        if (report != null) {
            Files.createDirectories(report);
            Files.writeString(report.resolve("kills.md"), table.markdown());
            new Tale(terminal, (System.nanoTime() - startNanos) / SECOND_NANOS)
                    .write(report, Hunted.statistics(hunted));
            terminal.print("report: " + report.resolve("kills.md"));
        }
        Ending ending = Hunted.ending(hunted);
        terminal.print("verdict: " + verdict(ending, table));
        terminal.print("again: " + options.commandForAllBugs());
        return ending;
    }

    private Hunted hunt(PlantedBug bug) throws InterruptedException {
        Hunted hunted = watched(bug);
        if (hunted.failure() != null) {
            new Tale(terminal, 0).tell(hunted.failure());
        }
        KillTable.Kill kill = hunted.row().kill();
        terminal.print(bug.name() + ": "
                + (kill == null
                        ? "survived " + Words.count(hunted.row().histories(), "history", "histories")
                        : kill.promise() + " in history " + kill.firstHistory()));
        return hunted;
    }

    private Hunted watched(PlantedBug bug) throws InterruptedException {
        try (ProgressDisplay display = ProgressDisplay.on(terminal, new Goal(hunt.histories(bug), Long.MAX_VALUE))) {
            return hunt.hunt(bug, display);
        }
    }

    private static String verdict(Ending ending, KillTable table) {
        return switch (ending) {
            case HELD -> "all " + table.rows().size() + " planted bugs were found by their promises";
            case BLIND ->
                table.survivors().size() + " of " + table.rows().size() + " planted bugs survived: "
                        + table.survivors().stream().map(PlantedBug::name).collect(Collectors.joining(", "));
            case UNSAFE, NOT_LIVE, NOT_DETERMINISTIC, CRASHED -> Words.of(ending);
        };
    }
}
