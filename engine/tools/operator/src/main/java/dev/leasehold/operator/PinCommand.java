package dev.leasehold.operator;

import dev.leasehold.engine.LeaseEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Keeps a lease from being taken, free or past its expiry. */
@Command(
        name = "pin",
        description = "Keeps a lease from being taken, free or past its expiry. Its holder goes on as before.",
        mixinStandardHelpOptions = true)
final class PinCommand extends DatabaseCommand {

    @Mixin
    private PinOptions options = new PinOptions();

    PinCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        try (LeaseEngine engine = open.engine()) {
            boolean done = engine.admin().pin(options.name(), options.entity());
            return OrderResult.ofPin(options.name(), options.entity(), done).show(this, ExitCode.NOT_FOUND);
        }
    }
}
