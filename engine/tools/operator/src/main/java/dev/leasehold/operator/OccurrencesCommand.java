package dev.leasehold.operator;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.Table;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The occurrences of the work of a lease that were done. */
@Command(
        name = "occurrences",
        description = "Lists the occurrences of the work of a lease that were done, the last one first.",
        mixinStandardHelpOptions = true)
final class OccurrencesCommand extends DatabaseCommand {

    private static final int LIMIT_MAX = 1_000;

    /**
     * One of them, as JSON.
     *
     * @param done when, by the clock of the server
     */
    record Row(String lease, String occurrence, String holder, long token, String done) {
        static Row of(OccurrenceRecord record) {
            return new Row(
                    record.tenure().name(),
                    record.occurrence(),
                    record.tenure().holder(),
                    record.tenure().token(),
                    record.done().toString());
        }
    }

    @Parameters(paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many at most, 1 to 1000; default ${DEFAULT-VALUE}.")
    private int limit = 20;

    OccurrencesCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new UsageException("--limit must be 1 to " + LIMIT_MAX + ", and is " + limit);
        }
        try (LeaseInspector inspector = open.inspector()) {
            show(inspector.occurrences(name, limit));
        }
        return ExitCode.DONE;
    }

    private void show(List<OccurrenceRecord> records) {
        if (json()) {
            printJson(records.stream().map(Row::of).toList());
            return;
        }
        Table table = new Table(List.of("OCCURRENCE", "DONE", "HOLDER", "TOKEN"));
        records.forEach(record -> table.add(List.of(
                record.occurrence(),
                DisplayText.of(record.done()),
                record.tenure().holder(),
                Long.toString(record.tenure().token()))));
        table.lines().forEach(this::print);
    }
}
