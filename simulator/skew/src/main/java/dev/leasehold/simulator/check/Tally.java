package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the states that a history reaches. */
final class Tally {

    private static final State[] STATES = State.values();

    private final Trial trial;
    private final long[] states = new long[STATES.length];
    private final List<String> names = new ArrayList<>();
    private long[] counts = new long[32];
    private @Nullable Call lastAnswered;

    Tally(Trial trial) {
        this.trial = trial;
    }

    /** Counts a fault or a mark. There are few, and they come as constants, so that looking them up in a row is quick. */
    void count(String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                counts[i]++;
                return;
            }
        }
        if (names.size() == counts.length) {
            counts = Arrays.copyOf(counts, 2 * counts.length);
        }
        counts[names.size()] = 1;
        names.add(name);
    }

    private void count(State state) {
        states[state.ordinal()]++;
    }

    void answered(Call call, Answer answer) {
        if (answer.kind() == Answer.Kind.UNKNOWN) {
            count(State.UNKNOWN);
        } else if (call.kind() == Kind.GATE) {
            count(answer.kind() == Answer.Kind.YES ? State.ASSERTION_PASSED : State.ASSERTION_REFUSED);
        } else if (call.asksForALease() && answer.kind() == Answer.Kind.NO && isHeldByAnother(answer)) {
            count(State.CONTENTION_LOST);
        } else if (call.asksForALease() && answer.kind() == Answer.Kind.YES && isContended(call)) {
            count(State.CONTENTION_WON);
        }
        if (isMixedWith(lastAnswered, call)) {
            count(State.MIXED_BATCH);
        }
        lastAnswered = call;
    }

    private static boolean isHeldByAnother(Answer answer) {
        return !answer.shown().isEmpty() && answer.shown().get(0).holder() != null;
    }

    /** Whether another engine asked for the same lease at the same time, and is still waiting or was refused. */
    private boolean isContended(Call call) {
        String name = call.operation().lease();
        List<Call> calls =
                name == null ? List.of() : trial.database().lease(name).calls();
        for (int i = 0; i < calls.size(); i++) {
            Call other = calls.get(i);
            if (other.life() != call.life()
                    && other.asksForALease()
                    && other.answeredNanos() >= call.calledNanos()
                    && (other.answer() == null || other.isAnswered(Answer.Kind.NO))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMixedWith(@Nullable Call before, Call call) {
        return before != null
                && before.life() == call.life()
                && before.answeredNanos() == call.answeredNanos()
                && (before.isAnswered(Answer.Kind.YES) && call.isAnswered(Answer.Kind.NO)
                        || before.isAnswered(Answer.Kind.NO) && call.isAnswered(Answer.Kind.YES));
    }

    void resolved(Answer answer) {
        if (answer.kind() != Answer.Kind.UNKNOWN) {
            count(answer.kind() == Answer.Kind.YES ? State.UNKNOWN_RESOLVED_YES : State.UNKNOWN_RESOLVED_NO);
        }
    }

    void crashed(Life life) {
        if (trial.calls().isAnyOpen(life)) {
            count(State.REBOOT_DURING_OPERATION);
        }
    }

    void rolledBack(int writes) {
        if (writes > 0) {
            count(State.ROLLBACK_BELOW_MAJORITY);
        }
    }

    void lost() {
        count(State.HANDLE_LOST);
    }

    void leaseChanged(@Nullable Tenure ended, @Nullable Tenure begun, LeaseTimeline.@Nullable Version latest) {
        if (ended != null
                && begun != null
                && !ended.held().holder().equals(begun.held().holder())) {
            count(State.TAKEN_OVER);
        } else if (ended != null && ended.end() == Tenure.End.FORCED) {
            count(State.FORCED_EXPIRY);
        }
        Tenure tenure = latest == null ? null : latest.tenure();
        if (tenure != null
                && begun == null
                && Objects.requireNonNull(latest).commit().life() != null
                && latest.commit().life() != tenure.begun().life()
                && isWrittenBy(tenure, latest.commit())) {
            count(State.EXTENDED_ELSEWHERE);
        }
    }

    private static boolean isWrittenBy(Tenure tenure, Commit commit) {
        Tenure.Write last = tenure.lastWrite();
        return last != null && last.commit() == commit;
    }

    void entryChanged(Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after) {
        Life life = before == null ? null : before.commit().life();
        if (before == null || before.row() == null || before.row().sessionNanos() == null || life == null) {
            return;
        }
        if (after == null) {
            if (commit.life() != life) {
                count(State.EVICTED);
            }
        } else if (life.readingNanos(commit.atNanos())
                > before.row().timeNanos() + before.row().sessionNanos()) {
            count(State.LATE_HEARTBEAT);
        }
    }

    /** All that was counted. */
    SortedMap<String, Long> reached(Findings findings, GatePromise gate) {
        states[State.MISTAKE_OF_CALLER.ordinal()] = gate.mistakesCaught();
        states[State.OVERLAP.ordinal()] = findings.overlaps();
        states[State.BROKEN_OUTSIDE.ordinal()] = findings.broken();
        SortedMap<String, Long> reached = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            reached.put(names.get(i), counts[i]);
        }
        for (State state : STATES) {
            if (states[state.ordinal()] > 0) {
                reached.put(state.name(), states[state.ordinal()]);
            }
        }
        return reached;
    }
}
