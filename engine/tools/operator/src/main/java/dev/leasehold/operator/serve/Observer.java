package dev.leasehold.operator.serve;

import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.WriterState;
import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a namespace again and again, whether a page is open or not: that an engine lives is known only after an earlier look. One thread
 * reads, one listens, one examines; none of them keeps a page waiting.
 */
public final class Observer implements AutoCloseable {

    private static final long PAUSE_MILLIS = 1_000;
    private static final Duration LOOK_AFTER_AN_ORDER = Duration.ofSeconds(5);

    private final LeaseInspector inspector;
    private final Duration every;
    private final Examination examination;
    private final Function<Throwable, String> description;
    private final Instant begunAt = Instant.now();
    private final Timeline timeline = new Timeline();
    private final LeaseEvents events;
    private final ScheduledExecutorService looks = thread("leasehold-observer");
    private final ScheduledExecutorService listening = thread("leasehold-listener");
    private final ScheduledExecutorService examinations = thread("leasehold-examiner");

    private volatile NamespaceView latest = NamespaceView.NOTHING;
    private volatile NamespaceView.Examined examined = NamespaceView.Examined.NEVER;
    private volatile boolean closed;

    /**
     * Begins at once.
     *
     * @param inspector is closed with this
     * @param every from one look to the next
     * @param examination what the doctor does
     * @param examineEvery from one examination to the next
     * @param description what is shown of an exception
     */
    public Observer(
            LeaseInspector inspector,
            Duration every,
            Examination examination,
            Duration examineEvery,
            Function<Throwable, String> description) {
        this.inspector = inspector;
        this.every = every;
        this.examination = examination;
        this.description = description;
        this.events = inspector.events();
        looks.scheduleWithFixedDelay(this::look, 0, every.toMillis(), TimeUnit.MILLISECONDS);
        listening.execute(this::listen);
        examinations.scheduleWithFixedDelay(this::examine, 0, examineEvery.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private void look() {
        try {
            Instant began = Instant.now();
            long beganNanos = System.nanoTime();
            List<LeaseRow> seen = inspector.leases().stream().map(LeaseRow::of).toList();
            List<WriterState> writers = inspector.writers();
            List<LeaseRow> leases = LeaseRow.verified(seen, writers);
            Instant now = Instant.now();
            List<WriterRow> engines = WriterRow.of(writers, leases, now);
            latest = new NamespaceView(
                    began,
                    Duration.ofNanos(System.nanoTime() - beganNanos),
                    leases,
                    spans(leases, engines, now),
                    engines,
                    null);
        } catch (RuntimeException e) {
            latest = latest.with(description.apply(e));
        }
    }

    /** A session has a length. A term is at least as long as what was ever left of it. */
    private Map<String, Duration> spans(List<LeaseRow> leases, List<WriterRow> engines, Instant now) {
        Map<String, Long> sessions = new HashMap<>();
        engines.forEach(engine -> sessions.put(engine.writer(), engine.sessionMillis()));
        Map<String, Duration> before = latest.spans();
        Map<String, Duration> spans = new HashMap<>();
        for (LeaseRow lease : leases) {
            if (lease.latestExpiry() != null) {
                Long session = "session".equals(lease.keptBy()) ? sessions.get(lease.writer()) : null;
                Duration left = Duration.between(now, Instant.parse(lease.latestExpiry()));
                Duration longest = before.getOrDefault(lease.name(), Duration.ZERO);
                spans.put(
                        lease.name(),
                        session != null ? Duration.ofMillis(session) : left.compareTo(longest) > 0 ? left : longest);
            }
        }
        return spans;
    }

    private void listen() {
        while (!closed) {
            try {
                events.await().forEach(event -> timeline.add(EventRow.of(event, Instant.now())));
                timeline.trouble(null);
            } catch (LeaseUnavailableException e) {
                timeline.trouble("events may be missing here: " + description.apply(e));
                pause();
            } catch (RuntimeException e) {
                timeline.trouble("there are no events to be had: " + description.apply(e));
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

    private void examine() {
        try {
            examined = new NamespaceView.Examined(Instant.now(), examination.examine(), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            examined = new NamespaceView.Examined(examined.at(), examined.findings(), description.apply(e));
        }
    }

    /**
     * Looks at one lease before the next look at all of them.
     *
     * @return whether it was seen in time
     */
    boolean lookAt(String lease) {
        try {
            looks.submit(() -> {
                        LeaseDetails details = inspector.inspect(lease);
                        boolean alive = latest.writers().stream()
                                .anyMatch(engine -> engine.writer().equals(details.writer())
                                        && engine.sign().equals(WriterRow.ALIVE));
                        latest = latest.with(LeaseRow.of(details).verified(alive));
                    })
                    .get(LOOK_AFTER_AN_ORDER.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** What was last seen. */
    NamespaceView latest() {
        return latest;
    }

    /** Why that is not to be relied upon; null if it is fresh. */
    @Nullable String trouble(Instant now) {
        return latest.troubleAt(now, every, begunAt);
    }

    NamespaceView.Examined examined() {
        return examined;
    }

    Timeline timeline() {
        return timeline;
    }

    String namespace() {
        return inspector.namespace();
    }

    /** Waits for a second at the most: a database that does not answer keeps the threads, which end with the process. */
    @Override
    public void close() {
        closed = true;
        List<ScheduledExecutorService> all = List.of(looks, listening, examinations);
        all.forEach(ScheduledExecutorService::shutdownNow);
        Thread closing = new Thread(
                () -> {
                    events.close();
                    inspector.close();
                },
                "leasehold-observer-end");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(PAUSE_MILLIS);
            for (ScheduledExecutorService each : all) {
                each.awaitTermination(PAUSE_MILLIS / all.size(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
