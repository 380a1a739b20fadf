package dev.leasehold.operator;

import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.EventRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What happens, as it happens. A thread of its own listens: a database that does not answer keeps it for as long as it wants, and not the
 * command.
 */
@Command(
        name = "watch",
        description =
                "Prints what happens in a namespace, as it happens, until it is interrupted. With --json, an event is a line.",
        mixinStandardHelpOptions = true)
final class WatchCommand extends DatabaseCommand {

    private static final long PAUSE_MILLIS = 1_000;

    /** A database that answers does so twice a second, with events or without. */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description = "Ends so long after it has begun to watch.")
    private @Nullable Duration longest;

    @Option(names = "--count", paramLabel = "N", description = "Ends after so many events.")
    private @Nullable Long most;

    @Option(names = "--lease", paramLabel = "NAME", description = "Only events of this lease.")
    private @Nullable String only;

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private volatile boolean over;
    private long shown;

    WatchCommand(CommandContext context) {
        super(context);
    }

    /**
     * An answer of the database.
     *
     * @param events may be none
     * @param failure why there may be gaps; null for none
     * @param isFinal whether the listener has ended with it
     */
    private record Heard(List<LeaseEvent> events, @Nullable RuntimeException failure, boolean isFinal) {}

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        if (most != null && most < 1) {
            throw new UsageException("--count must be 1 or more, and is " + most);
        }
        long beganNanos = System.nanoTime();
        Thread listener = new Thread(() -> listen(open), "leasehold-watch");
        listener.setDaemon(true);
        listener.start();
        try {
            show(open.namespace(), beganNanos);
        } finally {
            over = true;
            listener.join(PAUSE_MILLIS);
        }
        return ExitCode.DONE;
    }

    private void listen(Connection open) {
        try (LeaseInspector inspector = open.inspector();
                LeaseEvents events = inspector.events()) {
            events.await();
            heard.add(new Heard(List.of(), null, false));
            while (!over) {
                heard.add(awaited(events));
            }
        } catch (RuntimeException e) {
            heard.add(new Heard(List.of(), e, true));
        }
    }

    private static Heard awaited(LeaseEvents events) {
        try {
            return new Heard(events.await(), null, false);
        } catch (LeaseUnavailableException e) {
            pause();
            return new Heard(List.of(), e, false);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(String namespace, long beganNanos) throws InterruptedException {
        boolean begun = false;
        long heardFirstNanos = beganNanos;
        long heardNanos = beganNanos;
        long toldNanos = beganNanos;
        while (!begun || !isOver(heardFirstNanos)) {
            Heard next = heard.poll(PAUSE_MILLIS / 10, TimeUnit.MILLISECONDS);
            long now = System.nanoTime();
            if (next == null) {
                if (now - Math.max(heardNanos, toldNanos) > SILENCE.toNanos()) {
                    toldNanos = now;
                    context()
                            .printError("events may be missing: the database has not answered for "
                                    + DisplayText.of(Duration.ofNanos(now - heardNanos)));
                }
                continue;
            }
            if (next.failure() == null) {
                if (!begun && !json()) {
                    print("Watching namespace " + namespace + ".");
                } else if (toldNanos > heardNanos && begun) {
                    context().printError("the database answers again");
                }
                if (!begun) {
                    begun = true;
                    heardFirstNanos = now;
                }
                heardNanos = now;
                next.events().forEach(event -> show(EventRow.of(event, Instant.now())));
            } else if (next.isFinal()) {
                throw next.failure();
            } else {
                toldNanos = now;
                context().printError("events may be missing: " + Failures.describe(next.failure()));
            }
        }
    }

    private boolean isOver(long beganNanos) {
        return context().isOutputLost()
                || most != null && shown >= most
                || longest != null && System.nanoTime() - beganNanos >= longest.toNanos();
    }

    private void show(EventRow row) {
        if (only != null && !only.equals(row.lease()) || most != null && shown >= most) {
            return;
        }
        shown++;
        print(json() ? Json.line(row) : DisplayText.of(Instant.parse(row.heardAt())) + "  " + row.inWords());
    }
}
