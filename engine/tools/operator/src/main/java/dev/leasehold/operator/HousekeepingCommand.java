package dev.leasehold.operator;

import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.operator.view.DisplayText;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Clears away what is not needed any more. */
@Command(
        name = "housekeeping",
        description = {
            "Removes the documents of leases that were vacant for long, and the entries of engines that were silent for long.",
            "Records of occurrences stay, unless --occurrence-retention is given: without its record an occurrence is done once more.",
            "What cannot be proved to be old stays, and the proof begins with the first look. So a round sees what went silent"
                    + " since the round before."
        },
        mixinStandardHelpOptions = true)
final class HousekeepingCommand extends DatabaseCommand {

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            defaultValue = "1h",
            converter = DurationText.class,
            description = "For how long the document of a vacant lease stays; default ${DEFAULT-VALUE}.")
    private Duration retention = Duration.ofHours(1);

    @Option(
            names = "--occurrence-retention",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "Also removes records of occurrences that were done longer ago. Not less than what the services of the namespace have set.")
    private Duration occurrenceRetention = Connection.FOR_EVER;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many; default ${DEFAULT-VALUE}.")
    private int rounds = 2;

    @Option(
            names = "--pause",
            paramLabel = "DURATION",
            defaultValue = "35s",
            converter = DurationText.class,
            description =
                    "From one round to the next; default ${DEFAULT-VALUE}, a little more than a session of default length.")
    private Duration pause = Duration.ofSeconds(35);

    HousekeepingCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        if (rounds < 1) {
            throw new UsageException("--rounds must be 1 or more, and is " + rounds);
        }
        int removed = 0;
        int pruned = 0;
        int kept = 0;
        int forgotten = 0;
        try (LeaseEngine engine = open.engine(retention, occurrenceRetention)) {
            for (int round = 1; round <= rounds; round++) {
                Housekeeping done = engine.housekeeping();
                removed += done.leasesRemoved();
                pruned += done.writersPruned();
                kept = done.leasesKept();
                forgotten += done.occurrencesRemoved();
                if (round < rounds) {
                    if (!json()) {
                        context()
                                .printError("round " + round + " of " + rounds + " is done: " + describe(done)
                                        + ". The next one follows in " + DisplayText.of(pause));
                    }
                    Thread.sleep(pause.toMillis());
                }
            }
        }
        Housekeeping all = new Housekeeping(removed, kept, pruned, forgotten);
        if (json()) {
            printJson(all);
        } else {
            print(describe(all));
        }
        return ExitCode.DONE;
    }

    private static String describe(Housekeeping done) {
        return "removed: " + DisplayText.count(done.leasesRemoved(), "document") + " of vacant leases, "
                + done.writersPruned() + " of engines' entries, "
                + DisplayText.count(done.occurrencesRemoved(), "old record") + " of occurrences; staying for now: "
                + DisplayText.count(done.leasesKept(), "vacant lease");
    }
}
