package dev.leasehold.operator;

import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.Words;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What happens, as it happens. */
@Command(
        name = "watch",
        description =
                "Prints what happens in a namespace, as it happens, until it is interrupted. With --json, an event is a line.",
        mixinStandardHelpOptions = true)
final class WatchCommand extends DatabaseCommand {

    private static final long PAUSE_MILLIS = 1_000;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description = "Ends after so long.")
    private @Nullable Duration longest;

    @Option(names = "--count", paramLabel = "N", description = "Ends after so many events.")
    private @Nullable Long most;

    @Option(names = "--lease", paramLabel = "NAME", description = "Only events of this lease.")
    private @Nullable String only;

    private long shown;

    WatchCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        long beganNanos = System.nanoTime();
        try (LeaseInspector inspector = open.inspector();
                LeaseEvents events = inspector.events()) {
            events.await();
            if (!json()) {
                print("Watching namespace " + inspector.namespace() + ".");
            }
            while (!isOver(beganNanos)) {
                await(events);
            }
        }
        return ExitCode.DONE;
    }

    private boolean isOver(long beganNanos) {
        return most != null && shown >= most || longest != null && System.nanoTime() - beganNanos >= longest.toNanos();
    }

    private void await(LeaseEvents events) throws InterruptedException {
        try {
            for (LeaseEvent event : events.await()) {
                show(EventRow.of(event, Instant.now()));
            }
        } catch (LeaseUnavailableException e) {
            surroundings().complain("events may have been missed: " + Failures.words(e));
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private void show(EventRow row) {
        if (only != null && !only.equals(row.lease()) || most != null && shown >= most) {
            return;
        }
        shown++;
        print(json() ? Json.line(row) : Words.of(Instant.parse(row.heardAt())) + "  " + row.inWords());
    }
}
