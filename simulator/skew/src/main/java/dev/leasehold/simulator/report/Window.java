package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history that is drawn.
 *
 * @param fromIndex of its first event
 * @param toIndex after its last event
 * @param fromNanos where the drawing begins
 * @param toNanos where it ends
 * @param notice what is left out; empty when nothing is
 */
record Window(int fromIndex, int toIndex, long fromNanos, long toNanos, String notice) {

    static final int EVENTS_MAX = 3_000;

    /** So much of what is drawn comes after the violation. */
    private static final int AFTER_VIOLATION = 500;

    static Window of(List<Event> events, @Nullable Violation violation) {
        int end = endOfInterest(events, violation);
        int from = 0;
        int to = end;
        if (end > EVENTS_MAX) {
            int center = violation == null ? 0 : indexAfter(events, violation.atNanos());
            to = Math.min(end, Math.max(EVENTS_MAX, center + AFTER_VIOLATION));
            from = to - EVENTS_MAX;
        }
        long fromNanos = from == 0 ? 0 : events.get(from).atNanos();
        long toNanos = to == 0 ? 0 : events.get(to - 1).atNanos();
        return new Window(from, to, fromNanos, toNanos, notice(events, from, to, end, fromNanos, toNanos));
    }

    /** What comes after the healing says nothing about a promise that was broken before. */
    private static int endOfInterest(List<Event> events, @Nullable Violation violation) {
        for (int i = 0; violation != null && i < events.size(); i++) {
            if (events.get(i) instanceof Event.Healed && events.get(i).atNanos() > violation.atNanos()) {
                return i + 1;
            }
        }
        return events.size();
    }

    private static int indexAfter(List<Event> events, long nanos) {
        int index = 0;
        while (index < events.size() && events.get(index).atNanos() <= nanos) {
            index++;
        }
        return index;
    }

    private static String notice(List<Event> events, int from, int to, int end, long fromNanos, long toNanos) {
        if (to - from < end) {
            return "The drawing is cut: it shows " + (to - from) + " of " + events.size() + " events, those from "
                    + TimeWords.briefInstant(fromNanos) + " to " + TimeWords.briefInstant(toNanos)
                    + ". All of them are in events.txt.";
        }
        return end == events.size()
                ? ""
                : "The drawing ends where the healing begins, at " + TimeWords.briefInstant(toNanos)
                        + "; what comes after that is in events.txt.";
    }
}
