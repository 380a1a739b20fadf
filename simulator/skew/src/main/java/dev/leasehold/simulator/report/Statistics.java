package dev.leasehold.simulator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.leasehold.simulator.checker.Coverage;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Figures over many histories. Used by one thread. */
public final class Statistics {

    private static final String NEVER_RETURNED = "NEVER_RETURNED";
    private static final double NANOS_PER_SECOND = 1e9;

    /** The calls of the history that is being added. */
    private final Map<Integer, Operation.Kind> open = new HashMap<>();

    private final SortedMap<Operation.Kind, SortedMap<String, Long>> operations = new TreeMap<>();
    private final SortedMap<String, Long> faults = new TreeMap<>();
    private final SortedMap<String, Long> reached = new TreeMap<>();
    private final SortedMap<Guarantee, Long> violations = new TreeMap<>();
    private final Handlers<Event> handlers = new Handlers<Event>()
            .on(Event.Called.class, it -> open.put(it.call(), it.operation().kind()))
            .on(Event.Answered.class, it -> ended(it.call(), it.answer().kind().name()))
            .on(Event.Fault.class, it -> add(faults, it.fault(), 1));
    private long histories;
    private long events;
    private long steps;
    private long simulatedNanos;

    /** Counts a history and the verdict about it. */
    public void add(History history, Verdict verdict) {
        List<Event> all = history.events();
        histories++;
        events += all.size();
        steps += history.steps();
        simulatedNanos += all.isEmpty() ? 0 : all.get(all.size() - 1).atNanos();
        all.forEach(handlers::handle);
        List.copyOf(open.keySet()).forEach(call -> ended(call, NEVER_RETURNED));
        verdict.reached().forEach((state, times) -> add(reached, state, times));
        verdict.violations().forEach(violation -> add(violations, violation.guarantee(), 1));
    }

    private void ended(int call, String how) {
        Operation.Kind kind = open.remove(call);
        if (kind != null) {
            add(operations.computeIfAbsent(kind, key -> new TreeMap<>()), how, 1);
        }
    }

    private static <K> void add(Map<K, Long> counts, K key, long times) {
        counts.merge(key, times, Long::sum);
    }

    /** Simulated time, over all histories. */
    public double simulatedSeconds() {
        return simulatedNanos / NANOS_PER_SECOND;
    }

    /** How often two holders were valid at once where the clocks broke their bound. */
    public long overlaps() {
        return reached.getOrDefault(Coverage.OVERLAP.name(), 0L);
    }

    /** How often each state was reached, by name. */
    public SortedMap<String, Long> reached() {
        return Collections.unmodifiableSortedMap(reached);
    }

    /**
     * All figures as JSON, the same text for the same figures.
     *
     * @param seconds of real time that it took; 0 when that is not known, and no rate is told
     */
    public String json(double seconds) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("histories", histories);
        all.put("seconds", seconds);
        if (seconds > 0) {
            all.put("historiesPerSecond", histories / seconds);
            all.put("simulatedSecondsPerSecond", simulatedSeconds() / seconds);
        }
        all.put("simulatedSeconds", simulatedSeconds());
        all.put("events", events);
        all.put("steps", steps);
        all.put("operations", operations);
        all.put("faults", faults);
        all.put("reached", reached);
        all.put("overlaps", overlaps());
        all.put("violations", violations);
        try {
            return new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(all)
                            .replace("\r\n", "\n")
                    + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("figures that are no JSON: " + all, e);
        }
    }
}
