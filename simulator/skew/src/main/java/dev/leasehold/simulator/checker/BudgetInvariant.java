package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;

/**
 * G7: a call is answered within its budget on its caller's own clock, and gives up for nothing that passes before that; a wait is as long as
 * was asked; and who was told that the outcome is unknown is told later what became of it, unless the engine is closed, or it stays unknown.
 */
record BudgetInvariant(Model history, Violations violations) implements Invariant {

    private static final String UNKNOWN = "LeaseOutcomeUnknownException";

    /** What passes by itself, so that it is worth trying again while there is time. */
    private static final Set<String> PASSING = Set.of("LeaseUnavailableException", "LeaseContentionException", UNKNOWN);

    @Override
    public void check() {
        for (Call call : history.calls()) {
            Answer answer = call.answer;
            if (!history.isWhole()) {
                return;
            } else if (answer == null) {
                checkSilence(call);
            } else {
                checkBudget(call, answer);
                checkResolution(call);
            }
        }
    }

    private void violation(Call call, long atNanos, String what, long nanos) {
        violations.add(G7, atNanos, call.lease(), "the caller of %s was " + what, call, nanos);
    }

    private void checkSilence(Call call) {
        long awakeNanos = Math.max(call.calledNanos, history.machines.wokeNanos(call.by.machine));
        long allowedNanos = history.bounds.callNanos(call.operation);
        if (call.by.isAliveAt(history.finishedNanos) && allowedNanos < history.finishedNanos - awakeNanos) {
            violation(
                    call,
                    awakeNanos + allowedNanos,
                    "to have an answer by %s, and had none",
                    awakeNanos + allowedNanos);
        }
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
                case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE, PIN, UNPIN, REFRESH, ACQUIRE ->
                    history.conditions.operationNanos();
                case LIST, HOUSEKEEPING, CLOSE_HANDLE, GATE, CHECK, CLOSE_ENGINE -> 0;
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
            violation(
                    call,
                    dueNanos,
                    "told at %s that the outcome is unknown, and not what became of it",
                    call.answeredNanos);
        }
    }
}
