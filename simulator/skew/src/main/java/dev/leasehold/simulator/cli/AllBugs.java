package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.BugHunt;
import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Hunted;
import dev.leasehold.simulator.batch.KillTable;
import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.bugs.PlantedBugs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plants every bug in turn, and tells how each was found. */
final class AllBugs {

    private final Terminal terminal;
    private final RunOptions options;
    private final BugHunt hunt;

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
        String table = KillTable.markdown(hunted);
        terminal.out().print("\n" + table + "\n");
        Path report = options.report();
        if (report != null) {
            Files.createDirectories(report);
            Files.writeString(report.resolve("kills.md"), table);
            terminal.print("report: " + report.resolve("kills.md"));
        }
        return conclude(hunted);
    }

    private Hunted hunt(PlantedBug bug) throws InterruptedException {
        try (ProgressDisplay display = ProgressDisplay.on(terminal, new Goal(hunt.histories(bug), Long.MAX_VALUE))) {
            Hunted hunted = hunt.hunt(bug, display);
            if (hunted.failure() != null) {
                new Tale(terminal, 0).tell(hunted.failure());
            }
            terminal.print(bug.name() + ": " + (hunted.kill() == null
                    ? "survived " + Words.count(hunted.histories(), "history", "histories")
                    : hunted.kill().promise() + " in history " + hunted.kill().firstHistory()));
            return hunted;
        }
    }

    private Ending conclude(List<Hunted> hunted) {
        List<String> survivors =
                hunted.stream().filter(it -> it.kill() == null).map(it -> it.bug().name()).toList();
        Ending ending = Hunted.ending(hunted);
        terminal.print("verdict: " + (ending == Ending.HELD
                ? "all " + hunted.size() + " planted bugs were found by their promises"
                : ending == Ending.BLIND
                        ? survivors.size() + " of " + hunted.size() + " planted bugs survived: " + String.join(", ", survivors)
                        : Words.of(ending)));
        terminal.print("again: " + options.commandForAllBugs());
        return ending;
    }
}
