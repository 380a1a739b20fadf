package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;

/**
 * G7: a call is answered within its budget on its caller's own clock, and gives up for nothing that passes before that; a wait is as long as
 * was asked; and who was told that nobody knows is told later what became of it, unless the engine is closed, or nobody can know.
 */
final class BudgetInvariant implements Invariant {

    private static final String UNKNOWN = "LeaseOutcomeUnknownException";

    /** What passes by itself, so that it is worth trying again while there is time. */
    private static final Set<String> PASSING = Set.of("LeaseUnavailableException", "LeaseContentionException", UNKNOWN);

    @Override
    public void check(Model history, Violations violations) {
        if (!history.conditions().inside()
                || history.healedNanos() == Incarnation.NEVER
                || history.finishedNanos() == Incarnation.NEVER) {
            return;
        }
        for (Call call : history.calls()) {
            Answer answer = call.answer();
            if (answer == null) {
                checkSilence(history, call, violations);
            } else {
                checkBudget(history, call, answer, violations);
                checkResolution(history, call, violations);
            }
        }
    }

    private static void violation(Call call, long atNanos, String what, Violations violations) {
        violations.add(
                Guarantee.G7,
                atNanos,
                call.lease(),
                "the caller of " + call + " of " + Words.seconds(call.calledNanos()) + " " + what);
    }

    private static void checkSilence(Model history, Call call, Violations violations) {
        long allowedNanos = history.bounds().callNanos(call.operation());
        long awakeNanos = Math.max(
                call.calledNanos(), history.machines().wokeNanos(call.by().machine()));
        if (call.by().isAliveAt(history.finishedNanos()) && allowedNanos < history.finishedNanos() - awakeNanos) {
            violation(
                    call,
                    awakeNanos + allowedNanos,
                    "was promised an answer by " + Words.seconds(awakeNanos + allowedNanos)
                            + ", and had none when the history was over",
                    violations);
        }
    }

    private static void checkBudget(Model history, Call call, Answer answer, Violations violations) {
        long ranNanos = call.by().elapsedNanos(call.calledNanos(), call.answeredNanos());
        long mostNanos = history.bounds().budgetNanos(call.operation());
        long leastNanos = leastNanos(history, call, answer);
        String when =
                " at " + Words.seconds(call.answeredNanos()) + ", when its clock had run " + Words.seconds(ranNanos);
        if (ranNanos - LivenessBounds.BETWEEN_LOOKS_NANOS > mostNanos
                && history.machines().isAwake(call.by().machine(), call.calledNanos(), call.answeredNanos())) {
            violation(
                    call,
                    call.answeredNanos(),
                    "was promised an answer within " + Words.seconds(mostNanos) + ", and had it" + when,
                    violations);
        } else if (ranNanos + LivenessBounds.BETWEEN_LOOKS_NANOS < leastNanos
                && call.by().endsNanos() > call.answeredNanos()) {
            violation(
                    call,
                    call.answeredNanos(),
                    "was to wait for " + Words.seconds(leastNanos) + ", and was sent away with " + answer.reason()
                            + when,
                    violations);
        }
    }

    private static long leastNanos(Model history, Call call, Answer answer) {
        if (answer.reason() != null && PASSING.contains(answer.reason()) && !mayNobodyKnow(history, call)) {
            return switch (call.kind()) {
                case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE, PIN, UNPIN, REFRESH, ACQUIRE ->
                    history.conditions().operationNanos();
                default -> 0;
            };
        }
        // A refusal shows how the lease stands. Whatever else ends a wait is no such answer.
        boolean isRefused = answer.kind() == Answer.Kind.NO && !answer.shown().isEmpty();
        return call.kind() == Kind.ACQUIRE && isRefused ? call.operation().waitNanos() : 0;
    }

    /** By a damaged document, and by an engine that was evicted meanwhile, it cannot always be told whether a write has landed. */
    private static boolean mayNobodyKnow(Model history, Call call) {
        String lease = call.lease();
        return call.isAnsweredFor(UNKNOWN)
                && lease != null
                && (history.lease(lease).isDamaged() || history.hasRemovedEntryOf(call.by(), call.answeredNanos()));
    }

    /** Handles and operators have nobody who would ask later. */
    private static void checkResolution(Model history, Call call, Violations violations) {
        boolean mayBeAsked = switch (call.kind()) {
            case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE -> true;
            default -> false;
        };
        long awakeNanos = Math.max(
                call.answeredNanos(), history.machines().wokeNanos(call.by().machine()));
        long dueNanos =
                Math.max(awakeNanos, history.healedNanos()) + history.bounds().slackNanos();
        if (mayBeAsked
                && call.isAnswered(Answer.Kind.UNKNOWN)
                && call.lastWord() == call.answer()
                && call.by().endsNanos() == Incarnation.NEVER
                && history.conditions().answersComeInTime()
                && dueNanos < history.finishedNanos()) {
            violation(
                    call,
                    dueNanos,
                    "was told at " + Words.seconds(call.answeredNanos())
                            + " that nobody knows, there were no faults from " + Words.seconds(history.healedNanos())
                            + " on, and by " + Words.seconds(dueNanos) + " it was not told what became of it",
                    violations);
        }
    }
}
