package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Coverage;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.plan.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** What a batch must have reached to be worth something. */
public final class RequiredCoverage {

    private static final List<String> ALWAYS = List.of(Coverage.CONTENTION_LOST.name(), Coverage.TAKEN_OVER.name());

    private static final List<String> CALLERS = List.of(
            Coverage.ASSERTION_PASSED.name(), Coverage.ASSERTION_REFUSED.name(), Coverage.EXTENDED_ELSEWHERE.name());

    private static final List<String> OCCURRENCES = List.of(
            Coverage.OCCURRENCE_RECORDED.name(), Coverage.OCCURRENCE_FOUND.name(), Coverage.OCCURRENCE_SEEN.name());

    private static final List<String> TROUBLE = List.of(
            Coverage.CONTENTION_WON.name(),
            Coverage.UNKNOWN_RESOLVED_YES.name(),
            Coverage.UNKNOWN_RESOLVED_NO.name(),
            Coverage.REBOOT_DURING_OPERATION.name(),
            Coverage.ROLLBACK_BELOW_MAJORITY.name(),
            Coverage.MIXED_BATCH.name(),
            Coverage.HANDLE_LOST.name(),
            Marks.RESCUED,
            Marks.CONFLICT,
            Marks.MISSED,
            Marks.EXECUTED_LATE,
            Marks.FURTHER_PARTITION,
            Faults.PAUSE,
            Faults.SUSPEND,
            Faults.MIGRATE,
            Faults.CRASH,
            Faults.WALL_STEP,
            Faults.CUT_OFF,
            Faults.FAIL_OVER,
            Faults.LAG,
            Faults.STRAY,
            Faults.STORM,
            Faults.LATE,
            Faults.LOST_REQUEST,
            Faults.LOST_REPLY,
            Faults.REFUSED,
            Faults.UNANSWERED,
            Faults.REPEATED,
            Faults.LIFETIME,
            "CORRUPT_LEASE",
            "RESTART");

    private static final List<String> SESSIONS = List.of(Coverage.EVICTED.name(), Coverage.LATE_HEARTBEAT.name());

    private static final List<String> CLOCKS_OUT_OF_BOUND = List.of("CLONE_WRITER", "MONOTONIC_STEP");

    private RequiredCoverage() {}

    /**
     * The states that a batch of a profile has to reach.
     *
     * @param profile its name
     * @return names of states, of marks, of faults, and of aims
     */
    public static List<String> required(String profile) {
        List<String> required = new ArrayList<>(ALWAYS);
        switch (profile) {
            case "calm" -> {
                required.addAll(CALLERS);
                required.addAll(OCCURRENCES);
            }
            case "gates" -> required.addAll(OCCURRENCES);
            case "boundary" -> addAims(required);
            case "sessions" -> required.addAll(SESSIONS);
            case "swarm", "hostile" -> {
                required.addAll(CALLERS);
                required.addAll(OCCURRENCES);
                required.addAll(TROUBLE);
                required.addAll(SESSIONS);
                addAims(required);
            }
            case "outside" -> required.addAll(CLOCKS_OUT_OF_BOUND);
            case "tight" -> required.add(Coverage.OVERLAP.name());
            default -> {}
        }
        return required;
    }

    /**
     * What is missing.
     *
     * @param profile of all its histories
     * @param reached the sum over them
     */
    public static List<String> missing(String profile, SortedMap<String, Long> reached) {
        List<String> missing = new ArrayList<>();
        for (String state : required(profile)) {
            if (reached.getOrDefault(state, 0L) == 0) {
                missing.add(state);
            }
        }
        return missing;
    }

    private static void addAims(List<String> required) {
        for (Action.Move move : Action.Move.values()) {
            required.addAll(List.of("AIMED_" + move + "_BEFORE", "AIMED_" + move + "_AT", "AIMED_" + move + "_AFTER"));
        }
    }
}
