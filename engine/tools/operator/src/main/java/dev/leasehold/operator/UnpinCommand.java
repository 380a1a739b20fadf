package dev.leasehold.operator;

import dev.leasehold.engine.LeaseEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Takes a pin away. */
@Command(
        name = "unpin",
        description = "Takes a pin away. A lease is pinned as long as there is one.",
        mixinStandardHelpOptions = true)
final class UnpinCommand extends DatabaseCommand {

    @Mixin
    private PinOptions options = new PinOptions();

    UnpinCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        try (LeaseEngine engine = open.engine()) {
            boolean done = engine.admin().unpin(options.name(), options.entity());
            return OrderResult.ofUnpin(
                            options.name(),
                            options.entity(),
                            done,
                            engine.admin().inspect(options.name()))
                    .show(this, ExitCode.NOT_FOUND);
        }
    }
}
