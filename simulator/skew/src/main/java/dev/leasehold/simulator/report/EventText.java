package dev.leasehold.simulator.report;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A history as text, an event a line. The same history gives the same text on every JVM. */
public final class EventText {

    private static final String HEADER = """
            true time: seconds since the beginning; no engine can read it
            own time:  how far the monotonic clock of the event's machine has run since the beginning
            where:     the machine; - for the database and for all of them

                   true time         own time  where  what
            """;

    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final History history;
    private final Map<Integer, Integer> machineOfCall = new HashMap<>();

    private EventText(History history) {
        this.history = history;
        for (Event event : history.events()) {
            if (event instanceof Event.Called called) {
                machineOfCall.put(called.call(), called.machine());
            }
        }
    }

    public static String of(History history) {
        EventText lines = new EventText(history);
        StringBuilder text = new StringBuilder(HEADER);
        history.events().forEach(event -> text.append(lines.line(event)).append('\n'));
        return text.toString();
    }

    private String line(Event event) {
        int machine = machine(event);
        return String.format(
                Locale.ROOT,
                "%16s %16s  %-5s  %s",
                seconds(event.atNanos()),
                machine < 0 ? "-" : seconds(history.clocks().get(machine).ranNanos(event.atNanos())),
                machine < 0 ? "-" : "m" + machine,
                LeaseNames.visible(RecordText.of((Record) event)));
    }

    private int machine(Event event) {
        if (event instanceof Event.Answered answered) {
            return machineOfCall.getOrDefault(answered.call(), -1);
        }
        return event instanceof Event.Resolved resolved
                ? machineOfCall.getOrDefault(resolved.call(), -1)
                : event.machine();
    }

    /** All nine digits after the point, so that columns line up. */
    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).toPlainString();
    }

    // ---- whether two histories are the same ----

    /** A number that two runs of one plan share on every JVM: of the texts of all events. */
    public static long fingerprint(History history) {
        long hash = FACTOR;
        for (Event event : history.events()) {
            hash = (hash ^ event.atNanos()) * FACTOR;
            hash = (hash ^ event.machine()) * FACTOR;
            hash = (hash ^ hash >>> 29 ^ RecordText.of((Record) event).hashCode()) * FACTOR;
        }
        return hash ^ hash >>> 29;
    }

    /** The first event that two runs of one plan do not share, in words; empty when there is none. */
    public static Optional<String> firstDifference(History first, History second) {
        List<Event> one = first.events();
        List<Event> other = second.events();
        int index = 0;
        while (index < one.size() && index < other.size() && one.get(index).equals(other.get(index))) {
            index++;
        }
        return index == one.size() && index == other.size()
                ? Optional.empty()
                : Optional.of("event " + index + " differs: " + text(one, index) + " / " + text(other, index));
    }

    private static String text(List<Event> events, int index) {
        return index < events.size() ? events.get(index).toString() : "no event any more";
    }
}
