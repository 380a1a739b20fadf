package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Committed;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How often what happened, to see that a campaign came to the cases that it is for. */
final class Statistics {

    private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
    /** By operation and first answer. */
    private final Map<Kind, Map<String, Long>> answers = new EnumMap<>(Kind.class);
    /** What became of unknown outcomes. */
    private final Map<String, Long> resolutions = new TreeMap<>();
    /** By reason. */
    private final Map<String, Long> losses = new TreeMap<>();
    /** Those that were not answered. */
    private final Set<Integer> open = new HashSet<>();

    private final Map<Integer, Kind> calls = new HashMap<>();
    private final int commits;
    private final Map<String, Long> handOvers;
    private long validities;

    Statistics(List<Fault> happened, List<Event> journals, List<Committed> commits) {
        this.commits = commits.size();
        this.handOvers = handOvers(commits);
        happened.forEach(fault -> faults.merge(fault.kind(), 1L, Long::sum));
        journals.forEach(this::count);
    }

    /** By lease: how often a write that ended one tenure began the next one, of whichever process. */
    private static Map<String, Long> handOvers(List<Committed> commits) {
        return commits.stream()
                .flatMap(commit -> commit.changes().stream())
                .filter(change -> change instanceof Change.OfLease lease && isHandOver(lease))
                .collect(Collectors.groupingBy(
                        change -> ((Change.OfLease) change).lease(), TreeMap::new, Collectors.counting()));
    }

    private static boolean isHandOver(Change.OfLease change) {
        return change.before() != null
                && change.after() != null
                && change.before().holder() != null
                && change.after().holder() != null
                && change.before().token() + 1 == change.after().token()
                && !change.before().writer().equals(change.after().writer());
    }

    long handOvers(String lease) {
        return handOvers.getOrDefault(lease, 0L);
    }

    private void count(Event event) {
        if (event instanceof Event.Called called) {
            calls.put(called.call(), called.operation().kind());
            open.add(called.call());
        } else if (event instanceof Event.Answered answered) {
            open.remove(answered.call());
            answers.computeIfAbsent(calls.get(answered.call()), kind -> new TreeMap<>())
                    .merge(words(answered.answer()), 1L, Long::sum);
        } else if (event instanceof Event.Resolved resolved) {
            resolutions.merge(calls.get(resolved.call()) + " " + words(resolved.answer()), 1L, Long::sum);
        } else if (event instanceof Event.Lost lost) {
            losses.merge(lost.reason(), 1L, Long::sum);
        } else if (event instanceof Event.ValidUntil) {
            validities++;
        }
    }

    private static String words(Answer answer) {
        return answer.kind() + " " + (answer.reason() == null ? "" : answer.reason());
    }

    long faults(FaultKind kind) {
        return faults.getOrDefault(kind, 0L);
    }

    long answers(Kind operation, Answer.Kind answer) {
        return answers.getOrDefault(operation, Map.of()).entrySet().stream()
                .filter(each -> each.getKey().startsWith(answer + " "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Those of the engine; what the driver says of a caller's commit is counted with its operation. */
    long unknown() {
        return answers.keySet().stream()
                .filter(operation -> operation != Kind.GATE)
                .mapToLong(operation -> answers(operation, Answer.Kind.UNKNOWN))
                .sum();
    }

    long resolved(Answer.Kind answer) {
        return resolutions.entrySet().stream()
                .filter(resolution -> resolution.getKey().contains(" " + answer + " "))
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
                + "unknown outcomes: " + unknown() + ", resolved: " + resolutions + "\n"
                + "without an answer: " + open.size() + "\n"
                + "losses of handles: " + losses + "\n"
                + "words of validity: " + validities + "\n"
                + "from one process to another: " + handOvers + "\n"
                + "commits: " + commits;
    }
}
