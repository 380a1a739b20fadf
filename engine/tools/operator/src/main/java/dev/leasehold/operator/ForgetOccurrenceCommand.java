package dev.leasehold.operator;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.operator.view.DisplayText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets an occurrence be done again. */
@Command(
        name = "forget-occurrence",
        description = {
            "Removes the record of an occurrence of the work of a lease, so that it can be done again.",
            "What the first run has done stays."
        },
        mixinStandardHelpOptions = true)
final class ForgetOccurrenceCommand extends DatabaseCommand {

    private static final String ORDER = "forget-occurrence";

    @Parameters(index = "0", paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "OCCURRENCE", description = "The occurrence, as 'occurrences' shows it.")
    private String occurrence = "";

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; logged.")
    private String reason = "";

    ForgetOccurrenceCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        try (LeaseEngine engine = open.engine()) {
            return engine.admin()
                    .forgetOccurrence(name, occurrence, reason)
                    .map(record -> new OrderResult(
                            ORDER,
                            name,
                            true,
                            "occurrence " + LeaseNames.quote(occurrence) + ", done by "
                                    + LeaseNames.quote(record.tenure().holder()) + " at "
                                    + DisplayText.of(record.done())
                                    + ", can be done again"))
                    .orElseGet(() -> new OrderResult(
                            ORDER,
                            name,
                            false,
                            "there is no record of occurrence " + LeaseNames.quote(occurrence) + " of lease "
                                    + LeaseNames.quote(name)))
                    .show(this, ExitCode.NOT_FOUND);
        }
    }
}
