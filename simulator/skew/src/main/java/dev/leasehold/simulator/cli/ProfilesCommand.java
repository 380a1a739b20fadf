package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.plan.Profile;
import picocli.CommandLine.Command;

@Command(
        name = "profiles",
        description = "Lists the kinds of histories that can be drawn.",
        mixinStandardHelpOptions = true)
final class ProfilesCommand implements Runnable {

    private final Terminal terminal;

    ProfilesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        for (Profile profile : Profile.values()) {
            terminal.print(profile.word());
            terminal.print("    " + profile.description());
        }
    }
}
