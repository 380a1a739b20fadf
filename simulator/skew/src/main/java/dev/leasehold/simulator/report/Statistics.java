package dev.leasehold.simulator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Figures over many histories. Used by one thread; those of several are merged. */
public final class Statistics {

    /** How calls end: the kinds of answers, and the calls that never returned. */
    private static final int ENDS = Answer.Kind.values().length + 1;

    private static final int NEVER_RETURNED = ENDS - 1;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Operations of the calls of the history that is being added, by their numbers. */
    private Operation.@Nullable Kind[] open = new Operation.@Nullable Kind[64];

    private final long[][] operations = new long[Operation.Kind.values().length][ENDS];
    private final Map<String, long[]> faults = new HashMap<>();
    private final Map<String, long[]> reached = new HashMap<>();
    private final long[] violations = new long[Promise.values().length];
    private final TreeMap<String, Kill> kills = new TreeMap<>();
    private long histories;
    private long events;
    private long steps;
    private long simulatedNanos;
    private long overlaps;

    /**
     * How a mutant was killed.
     *
     * @param promise which promise named it
     * @param firstHistory after how many histories it was found, counted from 1
     * @param hitsPerTenThousand in how many of ten thousand histories it shows
     * @param commands how many commands its shrunk plan has
     */
    public record Kill(Promise promise, long firstHistory, double hitsPerTenThousand, int commands) {}

    /** Counts a history and what the judges said about it. */
    public void add(History history, Verdict verdict) {
        List<Event> all = history.events();
        histories++;
        events += all.size();
        steps += history.steps();
        simulatedNanos += all.isEmpty() ? 0 : all.get(all.size() - 1).atNanos();
        overlaps += verdict.overlaps();
        int calls = 0;
        for (int i = 0; i < all.size(); i++) {
            Event event = all.get(i);
            if (event instanceof Event.Called it) {
                calls = Math.max(calls, it.call() + 1);
                begin(it);
            } else if (event instanceof Event.Answered it) {
                end(it.call(), it.answer().kind().ordinal());
            } else if (event instanceof Event.Fault it) {
                count(faults, it.fault(), 1);
            }
        }
        for (int call = 0; call < calls; call++) {
            end(call, NEVER_RETURNED);
        }
        for (Map.Entry<String, Long> mark : verdict.reached().entrySet()) {
            count(reached, mark.getKey(), mark.getValue());
        }
        for (Violation violation : verdict.violations()) {
            violations[violation.promise().ordinal()]++;
        }
    }

    private void begin(Event.Called called) {
        if (called.call() >= open.length) {
            open = Arrays.copyOf(open, Math.max(2 * open.length, called.call() + 1));
        }
        open[called.call()] = called.operation().kind();
    }

    private void end(int call, int how) {
        Operation.Kind kind = open[call];
        if (kind != null) {
            operations[kind.ordinal()][how]++;
            open[call] = null;
        }
    }

    private static void count(Map<String, long[]> counts, String name, long times) {
        counts.computeIfAbsent(name, key -> new long[1])[0] += times;
    }

    /** Notes that a mutant was found. */
    public void addKill(String mutant, Kill kill) {
        kills.put(mutant, kill);
    }

    /** Adds what another one counted. */
    public void merge(Statistics other) {
        histories += other.histories;
        events += other.events;
        steps += other.steps;
        simulatedNanos += other.simulatedNanos;
        overlaps += other.overlaps;
        for (int i = 0; i < operations.length; i++) {
            for (int j = 0; j < ENDS; j++) {
                operations[i][j] += other.operations[i][j];
            }
        }
        for (int i = 0; i < violations.length; i++) {
            violations[i] += other.violations[i];
        }
        other.faults.forEach((name, times) -> count(faults, name, times[0]));
        other.reached.forEach((name, times) -> count(reached, name, times[0]));
        kills.putAll(other.kills);
    }

    public long histories() {
        return histories;
    }

    /** Simulated time, over all histories. */
    public double simulatedSeconds() {
        return simulatedNanos / NANOS_PER_SECOND;
    }

    /** How often two holders believed at once where the clocks broke their bound. */
    public long overlaps() {
        return overlaps;
    }

    public long violations(Promise promise) {
        return violations[promise.ordinal()];
    }

    /** How many calls of this kind were answered like this; null for those that never were. */
    public long operations(Operation.Kind kind, Answer.@Nullable Kind answer) {
        return operations[kind.ordinal()][answer == null ? NEVER_RETURNED : answer.ordinal()];
    }

    /** How often each fault befell something, by name. */
    public SortedMap<String, Long> faults() {
        return sorted(faults);
    }

    /** How often each state was reached, by name. */
    public SortedMap<String, Long> reached() {
        return sorted(reached);
    }

    /** How mutants were killed, by name. */
    public SortedMap<String, Kill> kills() {
        return Collections.unmodifiableSortedMap(kills);
    }

    private static SortedMap<String, Long> sorted(Map<String, long[]> counts) {
        TreeMap<String, Long> sorted = new TreeMap<>();
        counts.forEach((name, times) -> sorted.put(name, times[0]));
        return sorted;
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
        all.put("operations", operationsByName());
        all.put("faults", faults());
        all.put("reached", reached());
        all.put("overlaps", overlaps);
        all.put("violations", violationsByName());
        all.put("kills", kills);
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

    private Map<String, Map<String, Long>> operationsByName() {
        Map<String, Map<String, Long>> byName = new LinkedHashMap<>();
        for (Operation.Kind kind : Operation.Kind.values()) {
            Map<String, Long> ends = new LinkedHashMap<>();
            for (Answer.Kind answer : Answer.Kind.values()) {
                ends.put(answer.name(), operations(kind, answer));
            }
            ends.put("NEVER_RETURNED", operations(kind, null));
            byName.put(kind.name(), ends);
        }
        return byName;
    }

    private Map<String, Long> violationsByName() {
        Map<String, Long> byName = new LinkedHashMap<>();
        for (Promise promise : Promise.values()) {
            byName.put(promise.name(), violations(promise));
        }
        return byName;
    }
}
