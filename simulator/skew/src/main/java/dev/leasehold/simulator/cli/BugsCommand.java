package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.bugs.PlantedBugs;
import dev.leasehold.simulator.check.Promise;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
        name = "bugs",
        description =
                "Lists the mistakes that can be planted into the engine, and the promises by which each must be found.",
        mixinStandardHelpOptions = true)
final class BugsCommand implements Runnable {

    private final Terminal terminal;

    BugsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        PlantedBugs.all().forEach(this::print);
        print(PlantedBugs.canary());
    }

    private void print(PlantedBug bug) {
        String killers = bug.killers().stream().map(Promise::name).collect(Collectors.joining(" or "));
        terminal.print(bug.name());
        terminal.print("    " + bug.what());
        terminal.print("    must break " + killers + " within " + bug.histories() + " histories of profile "
                + bug.profile().word());
    }
}
