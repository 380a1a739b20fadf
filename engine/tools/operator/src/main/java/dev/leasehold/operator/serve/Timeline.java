package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.EventRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has happened since the page was opened, the newest first, as far as there is room. Safe for many threads; nothing blocks. */
final class Timeline {

    private static final int EVENTS_MAX = 500;

    private final Deque<EventRow> events = new ArrayDeque<>();
    private @Nullable String trouble;

    synchronized void add(EventRow event) {
        events.addFirst(event);
        if (events.size() > EVENTS_MAX) {
            events.removeLast();
        }
    }

    /** Why events may be missing; null where they are not. */
    synchronized void trouble(@Nullable String why) {
        trouble = why;
    }

    synchronized @Nullable String trouble() {
        return trouble;
    }

    synchronized List<EventRow> newestFirst() {
        return new ArrayList<>(events);
    }

    /** Those of one lease, or of one engine. */
    List<EventRow> of(@Nullable String lease, @Nullable String writer) {
        return newestFirst().stream()
                .filter(event -> lease == null ? event.lease() == null : lease.equals(event.lease()))
                .filter(event -> writer == null || writer.equals(event.writer()))
                .toList();
    }
}
