package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.plan.Setting;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The part of G7 about the time that calls have, by their callers' own clocks: they take no longer, and nobody is sent away with trouble, or
 * from a wait, before it is over.
 */
final class BudgetPromise {

    /** Callers and engines look at the clock one after the other. */
    private static final long BETWEEN_LOOKS_NANOS = 1_000;

    private static final String UNKNOWN = "LeaseOutcomeUnknownException";

    /** What passes by itself, so that it is worth trying again while there is time. */
    private static final Set<String> TROUBLE = Set.of("LeaseUnavailableException", "LeaseContentionException", UNKNOWN);

    private final Trial trial;
    private final Findings findings;
    private final Patience patience;
    private final Setting setting;

    BudgetPromise(Trial trial, Findings findings, Patience patience) {
        this.trial = trial;
        this.findings = findings;
        this.patience = patience;
        this.setting = trial.history().plan().setting();
    }

    void judge() {
        List<Call> calls = trial.calls().all();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).answer() != null) {
                judge(calls.get(i), Objects.requireNonNull(calls.get(i).answer()));
            }
        }
    }

    private void judge(Call call, Answer answer) {
        long ranNanos = call.life().elapsedNanos(call.calledNanos(), call.answeredNanos());
        long mostNanos = mostNanos(call);
        long leastNanos = leastNanos(call, answer);
        if (ranNanos - BETWEEN_LOOKS_NANOS > mostNanos
                && trial.lives().isAwake(call.life().machine(), call.calledNanos(), call.answeredNanos())) {
            violation(call, ranNanos, "was promised an answer within " + Words.seconds(mostNanos) + ", and had it");
        } else if (ranNanos + BETWEEN_LOOKS_NANOS < leastNanos && call.life().endsNanos() > call.answeredNanos()) {
            String reason = answer.reason() == null ? "" : " (" + answer.reason() + ")";
            violation(call, ranNanos, "was to wait for " + Words.seconds(leastNanos) + ", and was sent away" + reason);
        }
    }

    private void violation(Call call, long ranNanos, String what) {
        findings.violation(
                Promise.G7,
                call.answeredNanos(),
                call.operation().lease(),
                "the caller of " + call + " of "
                        + Words.seconds(call.calledNanos()) + " " + what + " at " + Words.seconds(call.answeredNanos())
                        + ", when its clock had run " + Words.seconds(ranNanos));
    }

    private long mostNanos(Call call) {
        return switch (call.kind()) {
            case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE, PIN, UNPIN -> setting.operationNanos();
            case REFRESH -> setting.partitions() * setting.operationNanos();
            case ACQUIRE -> call.operation().waitNanos() + setting.operationNanos() + lateNanos();
            case CLOSE_HANDLE, CLOSE_ENGINE -> setting.closeNanos();
            // They have a budget for each page, and for each thing that is removed.
            case LIST, HOUSEKEEPING -> patience.callNanos(call);
            case GATE, CHECK -> Trial.NEVER;
        };
    }

    /** What callers of handles are told another thread says, which may be late. */
    private long lateNanos() {
        Long lateNanos = setting.threadLateNanos();
        return lateNanos == null ? 0 : lateNanos;
    }

    private long leastNanos(Call call, Answer answer) {
        if (answer.reason() != null && TROUBLE.contains(answer.reason()) && !mayStayInDoubt(call, answer.reason())) {
            return switch (call.kind()) {
                case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE, PIN, UNPIN, REFRESH, ACQUIRE ->
                    setting.operationNanos();
                default -> 0;
            };
        }
        // A refusal shows how the lease stands. Whatever else ends a wait is no such answer.
        boolean isRefused = answer.kind() == Answer.Kind.NO && !answer.shown().isEmpty();
        return call.kind() == Kind.ACQUIRE && isRefused ? call.operation().waitNanos() : 0;
    }

    /** Whether a write has landed cannot always be told by a damaged document, or by those who were evicted meanwhile. */
    private boolean mayStayInDoubt(Call call, String reason) {
        String lease = call.operation().lease();
        return reason.equals(UNKNOWN)
                && lease != null
                && (trial.database().lease(lease).isDamaged()
                        || trial.database().hasRemovedEntryOf(call.life(), call.answeredNanos()));
    }
}
