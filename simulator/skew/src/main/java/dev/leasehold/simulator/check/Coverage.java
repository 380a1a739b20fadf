package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.plan.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Which states a batch of histories must have reached to be worth something. */
public final class Coverage {

    private static final List<String> ALWAYS = List.of(State.CONTENTION_LOST.name(), State.TAKEN_OVER.name());

    private static final List<String> CALLERS =
            List.of(State.ASSERTION_PASSED.name(), State.ASSERTION_REFUSED.name(), State.EXTENDED_ELSEWHERE.name());

    private static final List<String> TROUBLE = List.of(
            State.CONTENTION_WON.name(),
            State.UNKNOWN_RESOLVED_YES.name(),
            State.UNKNOWN_RESOLVED_NO.name(),
            State.REBOOT_DURING_OPERATION.name(),
            State.ROLLBACK_BELOW_MAJORITY.name(),
            State.MIXED_BATCH.name(),
            State.HANDLE_LOST.name(),
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

    private static final List<String> SESSIONS = List.of(State.EVICTED.name(), State.LATE_HEARTBEAT.name());

    private static final List<String> CLOCKS_OUT_OF_BOUND = List.of("CLONE_WRITER", "MONOTONIC_STEP");

    private Coverage() {}

    /**
     * The states that a batch of a profile has to reach.
     *
     * @param profile its name
     * @return names of states, of marks, of faults, and of aims
     */
    public static List<String> required(String profile) {
        List<String> required = new ArrayList<>(ALWAYS);
        switch (profile) {
            case "calm" -> required.addAll(CALLERS);
            case "boundary" -> addAims(required);
            case "sessions" -> required.addAll(SESSIONS);
            case "swarm", "hostile" -> {
                required.addAll(CALLERS);
                required.addAll(TROUBLE);
                required.addAll(SESSIONS);
                addAims(required);
            }
            case "outside" -> required.addAll(CLOCKS_OUT_OF_BOUND);
            case "tight" -> required.add(State.OVERLAP.name());
            default -> {}
        }
        return required;
    }

    /**
     * What is missing.
     *
     * @param profile of the batch
     * @param reached the sum over its histories
     * @return the states that were to be reached and were not
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
