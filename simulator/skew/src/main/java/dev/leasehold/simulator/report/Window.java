package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.history.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history that is drawn: up to the healing after the violation, and no more than {@value #EVENTS_MAX} events around it.
 *
 * @param from the index of its first event
 * @param to the index after its last one
 */
record Window(int from, int to) {

    static final int EVENTS_MAX = 3_000;
    private static final int AFTER_VIOLATION = 500;

    static Window of(List<Event> events, @Nullable Violation violation) {
        if (violation == null) {
            return new Window(0, Math.min(EVENTS_MAX, events.size()));
        }
        int after = 0;
        while (after < events.size() && events.get(after).atNanos() <= violation.atNanos()) {
            after++;
        }
        int to = after;
        while (to < events.size() && to < after + AFTER_VIOLATION && !(events.get(to) instanceof Event.Healed)) {
            to++;
        }
        return new Window(Math.max(0, to - EVENTS_MAX), Math.min(events.size(), to + 1));
    }
}
