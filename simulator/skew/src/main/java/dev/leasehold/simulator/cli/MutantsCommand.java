package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
        name = "mutants",
        description =
                "Lists the mistakes that can be planted into the engine, and the promises by which each must be found.",
        mixinStandardHelpOptions = true)
final class MutantsCommand implements Runnable {

    private final Terminal terminal;

    MutantsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        Mutants.all().forEach(this::print);
        print(Mutants.canary());
    }

    private void print(Mutant mutant) {
        String killers = mutant.killers().stream().map(Guarantee::name).collect(Collectors.joining(" or "));
        terminal.print(mutant.name());
        terminal.print("    " + mutant.what());
        terminal.print("    must break " + killers + " within " + mutant.histories() + " histories of profile "
                + mutant.profile().word());
    }
}
