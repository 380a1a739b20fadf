package dev.leasehold.operator.serve;

import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Looks at a namespace again and again, whether a page is open or not: that an engine lives is known only to who has looked before. One
 * thread reads, another listens.
 */
public final class Observer implements AutoCloseable {

    private static final long PAUSE_MILLIS = 1_000;

    private final LeaseInspector inspector;
    private final Function<Throwable, String> words;
    private final Timeline timeline = new Timeline();
    private final LeaseEvents events;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "leasehold-observer");
        thread.setDaemon(true);
        return thread;
    });

    private volatile Sight sight = Sight.NOTHING;
    private volatile boolean closed;

    /**
     * Begins at once.
     *
     * @param inspector is closed by the caller
     * @param every from one look to the next
     * @param words what is shown of an exception
     */
    public Observer(LeaseInspector inspector, Duration every, Function<Throwable, String> words) {
        this.inspector = inspector;
        this.words = words;
        this.events = inspector.events();
        threads.scheduleWithFixedDelay(this::look, 0, every.toMillis(), TimeUnit.MILLISECONDS);
        threads.execute(this::listen);
    }

    private void look() {
        try {
            Instant now = Instant.now();
            List<LeaseRow> leases =
                    inspector.leases().stream().map(LeaseRow::of).toList();
            sight = new Sight(now, leases, WriterRow.of(inspector.writers(), leases, Instant.now()), null);
        } catch (RuntimeException e) {
            sight = sight.with(words.apply(e));
        }
    }

    private void listen() {
        while (!closed) {
            try {
                events.await().forEach(event -> timeline.add(EventRow.of(event, Instant.now())));
                timeline.trouble(null);
            } catch (LeaseUnavailableException e) {
                timeline.trouble("events may be missing here: " + words.apply(e));
                pause();
            } catch (RuntimeException e) {
                timeline.trouble("there are no events to be had: " + words.apply(e));
                return;
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was last seen. */
    Sight sight() {
        return sight;
    }

    Timeline timeline() {
        return timeline;
    }

    String namespace() {
        return inspector.namespace();
    }

    @Override
    public void close() {
        closed = true;
        events.close();
        threads.shutdown();
        try {
            threads.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
