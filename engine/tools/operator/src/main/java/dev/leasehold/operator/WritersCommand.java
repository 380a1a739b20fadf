package dev.leasehold.operator;

import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.WriterState;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.Table;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The engines of a namespace. */
@Command(
        name = "writers",
        description =
                "Lists the engines of a namespace: their sessions, last signs of life, clocks, and what each holds.",
        mixinStandardHelpOptions = true)
final class WritersCommand extends DatabaseCommand {

    private static final long PAUSE_MILLIS = 250;

    @Option(
            names = "--look",
            paramLabel = "DURATION",
            defaultValue = "12s",
            converter = DurationText.class,
            description = "For how long to look for signs of life, unless all engines with a session have given one;"
                    + " default ${DEFAULT-VALUE}, since a heartbeat comes every 10 s by default. 0s takes one look.")
    private Duration look = Duration.ofSeconds(12);

    WritersCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        try (LeaseInspector inspector = open.inspector()) {
            long beganNanos = System.nanoTime();
            List<WriterState> writers = inspector.writers();
            while (System.nanoTime() - beganNanos < look.toNanos() && isAnySilent(writers)) {
                Thread.sleep(PAUSE_MILLIS);
                writers = inspector.writers();
            }
            List<LeaseRow> leases =
                    inspector.leases().stream().map(LeaseRow::of).toList();
            show(WriterRow.of(writers, leases, Instant.now()), Duration.ofNanos(System.nanoTime() - beganNanos));
        }
        return ExitCode.DONE;
    }

    /** Those without a session need not give signs. */
    static boolean isAnySilent(List<WriterState> writers) {
        return writers.stream()
                .anyMatch(writer ->
                        writer instanceof WriterState.Known known && known.session() != null && !known.seenMoving());
    }

    private void show(List<WriterRow> rows, Duration lookedFor) {
        if (json()) {
            printJson(rows);
            return;
        }
        Instant now = Instant.now();
        Table table = new Table(List.of("WRITER", "SESSION", "CLOCK", "HOLDS", "SIGN OF LIFE"));
        rows.forEach(row -> table.add(List.of(
                row.writer(),
                duration(row.sessionMillis()),
                row.clockInWords(),
                Integer.toString(row.holds().size()),
                row.signInWords(now))));
        table.lines().forEach(this::print);
        print("Looked for " + DisplayText.of(lookedFor)
                + ". No clocks were compared: an engine lives if its stamp was seen to move.");
    }

    private static String duration(@Nullable Long millis) {
        return millis == null ? "-" : DisplayText.of(Duration.ofMillis(millis));
    }
}
