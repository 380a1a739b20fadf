package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.KindHandlers;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A history as text, an event a line. The same history gives the same text on every JVM. */
public final class EventText {

    private static final String HEADER = """
            true time: seconds since the beginning; no engine can read it
            own time:  how far the monotonic clock of the event's machine has run since the beginning
            where:     the machine; - for the database and for all of them

                   true time         own time  where  what
            """;

    private final History history;
    private final Map<Integer, Integer> machineOfCall = new HashMap<>();

    private EventText(History history) {
        this.history = history;
        KindHandlers<Event> calls =
                new KindHandlers<Event>().on(Event.Called.class, it -> machineOfCall.put(it.call(), it.machine()));
        history.events().forEach(calls::handle);
    }

    public static String of(History history) {
        return of(history, 0, history.events().size());
    }

    /** Only the events from one index to before another one. */
    static String of(History history, int from, int to) {
        EventText lines = new EventText(history);
        List<Event> events = history.events().subList(from, to);
        StringBuilder text = new StringBuilder(HEADER);
        events.forEach(event -> text.append(lines.line(event)).append('\n'));
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
                RecordText.of((Record) event));
    }

    private int machine(Event event) {
        int[] machine = {event.machine()};
        new KindHandlers<Event>()
                .on(Event.Answered.class, it -> machine[0] = machineOfCall.getOrDefault(it.call(), -1))
                .on(Event.Resolved.class, it -> machine[0] = machineOfCall.getOrDefault(it.call(), -1))
                .handle(event);
        return machine[0];
    }

    /** All nine digits after the point, so that columns line up. */
    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).toPlainString();
    }
}
