package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Objects;
import java.util.Set;

/**
 * G7: a call is answered within its budget on its caller's own clock, and gives up for nothing that passes before that; a wait is as long as
 * was asked; and a caller that was told that the outcome is unknown is told later what became of it, unless the engine is closed, or it stays unknown.
 * The close of an engine ends its sessions, where nothing is in its way.
 *
 * <p>A close that does not block, and a step-down, have no budget: the engine goes on trying for as long as it lives. They are answered when the
 * lease is released, and no engine ends the open transaction of a caller that is in the way of that. So their time counts from its end.
 */
record BudgetInvariant(Model history, Violations violations) {

    private static final String UNKNOWN = "LeaseOutcomeUnknownException";

    /** What passes by itself, so that it is worth trying again while there is time. */
    private static final Set<String> PASSING = Set.of("LeaseUnavailableException", "LeaseContentionException", UNKNOWN);

    /** Behind the open transaction of another engine a write waits for as long, and then gives up. */
    private static final long UNHINDERED_NANOS_MAX = 1_000_000_000;

    void check() {
        if (history.isWhole()) {
            history.calls.values().forEach(this::check);
        }
    }

    private void check(Call call) {
        if (call.answer == null) {
            checkSilence(call);
        } else {
            checkBudget(call, call.answer);
            checkResolution(call);
            checkSessions(call);
        }
    }

    private void violation(Call call, long atNanos, String what, long nanos) {
        violations.add(G7, atNanos, call.lease(), "the caller of %s was " + what, call, nanos);
    }

    private void checkSilence(Call call) {
        long allowedNanos = history.bounds.callNanos(call.operation);
        long fromNanos = Math.max(call.calledNanos, history.machines.wokeNanos(call.by.machine));
        if (call.kind() == Kind.STEP_DOWN || isClosingWithoutBudget(call)) {
            LeaseLog lease = history.lease(Objects.requireNonNull(call.lease(), "it is about one lease"));
            fromNanos = Math.max(fromNanos, history.leftOpenNanos(lease, fromNanos + allowedNanos));
        }
        if (call.by.isAliveAt(history.finishedNanos) && allowedNanos < history.finishedNanos - fromNanos) {
            String what = "to have an answer by %s, and had none";
            violation(call, fromNanos + allowedNanos, what, fromNanos + allowedNanos);
        }
    }

    private boolean isClosingWithoutBudget(Call call) {
        return call.kind() == Kind.CLOSE_HANDLE && history.bounds.budgetNanos(call.operation) == Incarnation.NEVER;
    }

    private void checkBudget(Call call, Answer answer) {
        long mostNanos = history.bounds.budgetNanos(call.operation);
        long leastNanos = leastNanos(call, answer);
        long looksNanos = LivenessBounds.BETWEEN_LOOKS_NANOS;
        if (call.ranNanos() - looksNanos > mostNanos
                && history.machines.isAwake(call.by.machine, call.calledNanos, call.answeredNanos)) {
            violation(call, call.answeredNanos, "to have an answer within %s of its clock, and had it", mostNanos);
        } else if (call.ranNanos() + looksNanos < leastNanos && call.by.endsNanos() > call.answeredNanos) {
            violation(call, call.answeredNanos, "to wait for %s of its clock, and was sent away", leastNanos);
        }
    }

    private long leastNanos(Call call, Answer answer) {
        if (PASSING.stream().anyMatch(call::isAnsweredFor) && !mayStayUnknown(call)) {
            return switch (call.kind()) {
                case CLAIM,
                        TAKE_OVER,
                        EXTEND,
                        RELEASE,
                        EXPIRE,
                        FORCE_EXPIRE,
                        PIN,
                        UNPIN,
                        REFRESH,
                        FIND_OCCURRENCE,
                        ACQUIRE -> history.conditions.operationNanos();
                case LIST, HOUSEKEEPING, CLOSE_HANDLE, STEP_DOWN, GATE, CHECK, CLOSE_ENGINE -> 0;
            };
        }
        // A refusal shows how the lease stands. Whatever else ends a wait is no such answer.
        boolean isRefused = answer.kind() == Answer.Kind.NO && !answer.shown().isEmpty();
        return call.kind() == Kind.ACQUIRE && isRefused ? call.operation.waitNanos() : 0;
    }

    /** By a damaged document, and by an engine that was evicted meanwhile, it cannot always be told whether a write has landed. */
    private boolean mayStayUnknown(Call call) {
        return call.isAnsweredFor(UNKNOWN)
                && call.lease() != null
                && (history.lease(call.lease()).isDamaged() || history.hasRemovedEntryOf(call.by, call.answeredNanos));
    }

    /** Handles and operators ask no later. */
    private void checkResolution(Call call) {
        boolean mayBeAsked = switch (call.kind()) {
            case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE -> true;
            default -> false;
        };
        long awakeNanos = Math.max(call.answeredNanos, history.machines.wokeNanos(call.by.machine));
        long dueNanos = Math.max(awakeNanos, history.healedNanos) + history.bounds.slackNanos();
        if (mayBeAsked
                && call.isAnswered(Answer.Kind.UNKNOWN)
                && call.lastWord() == call.answer
                && call.by.endsNanos() == Incarnation.NEVER
                && history.isLive()
                && dueNanos < history.finishedNanos) {
            String what = "told at %s that the outcome is unknown, and not what became of it";
            violation(call, dueNanos, what, call.answeredNanos);
        }
    }

    private void checkSessions(Call close) {
        long earlyNanos = Math.min(history.conditions.closeNanos() / 2, UNHINDERED_NANOS_MAX);
        if (close.kind() != Kind.CLOSE_ENGINE
                || close.ranNanos() >= earlyNanos
                || history.machines.isTroubled(close.by.machine, close.calledNanos, close.answeredNanos)) {
            return;
        }
        for (WriterLog writer : history.writers.values()) {
            WriterLog.Version left = close.by.isWriter(writer.name) ? writer.at(close.answeredNanos) : null;
            WriterRow row = left == null ? null : left.row();
            if (row != null && row.sessionNanos() != null && keepsAny(writer, close.answeredNanos)) {
                String what = "%s was closed, nothing was in its way, and the session of %s goes on";
                violations.add(G7, close.answeredNanos, null, what, close.by, writer.name);
            }
        }
    }

    /** A session that keeps nothing may be one of which its engine does not know, since the answer to its beginning was lost. */
    private boolean keepsAny(WriterLog writer, long atNanos) {
        return history.tenures.stream()
                .anyMatch(tenure -> tenure.isOfSession()
                        && tenure.writer.equals(writer.name)
                        && tenure.begun.atNanos <= atNanos
                        && tenure.endedNanos() > atNanos);
    }
}
