package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Campaign.Course;
import dev.leasehold.engine.campaign.Entry.Lost;
import dev.leasehold.engine.campaign.Entry.Told;
import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How often what happened, to see that a campaign came to the cases that it is for. */
final class Statistics {

    private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
    /** By operation and first answer. */
    private final Map<Operation, Map<String, Long>> answers = new EnumMap<>(Operation.class);
    /** What became of unknown outcomes. */
    private final Map<String, Long> resolutions = new TreeMap<>();
    /** By reason. */
    private final Map<String, Long> losses = new TreeMap<>();

    private long validities;
    private long openCalls;

    Statistics(Course course, List<Call> calls) {
        course.faults().forEach(fault -> faults.merge(fault.kind(), 1L, Long::sum));
        calls.forEach(this::count);
        course.entries().stream()
                .filter(Lost.class::isInstance)
                .forEach(lost -> losses.merge(((Lost) lost).reason(), 1L, Long::sum));
        validities = course.entries().stream().filter(Valid.class::isInstance).count();
    }

    private void count(Call call) {
        String first = call.told().isEmpty() ? "nothing" : words(call.told().get(0));
        answers.computeIfAbsent(call.operation(), each -> new TreeMap<>()).merge(first, 1L, Long::sum);
        if (call.told().size() > 1) {
            resolutions.merge(call.operation() + " " + words(call.told().get(1)), 1L, Long::sum);
        }
        openCalls += call.verdict() == Verdict.UNKNOWN ? 1 : 0;
    }

    private static String words(Told told) {
        return told.verdict() + " " + told.detail();
    }

    long faults(FaultKind kind) {
        return faults.getOrDefault(kind, 0L);
    }

    long answers(Operation operation, Verdict verdict) {
        return answers.getOrDefault(operation, Map.of()).entrySet().stream()
                .filter(answer -> answer.getKey().startsWith(verdict + " "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    long unknown() {
        return answers.keySet().stream()
                .mapToLong(operation -> answers(operation, Verdict.UNKNOWN))
                .sum();
    }

    long resolved(Verdict verdict) {
        return resolutions.entrySet().stream()
                .filter(resolution -> resolution.getKey().contains(" " + verdict + " "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    long validities() {
        return validities;
    }

    long losses() {
        return losses.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return "faults: " + faults + "\n"
                + answers.entrySet().stream()
                        .map(each -> each.getKey() + ": " + each.getValue() + "\n")
                        .collect(Collectors.joining())
                + "unknown outcomes: " + unknown() + ", resolved: " + resolutions + ", open: " + openCalls + "\n"
                + "losses of handles: " + losses + "\n"
                + "spans of validity: " + validities;
    }
}
