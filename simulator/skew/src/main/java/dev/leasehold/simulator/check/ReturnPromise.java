package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;

/**
 * The part of G7 about calls: they return in time, those that were refused have waited for as long as they were asked to, and who was told
 * that nobody knows is told later what became of it.
 */
final class ReturnPromise {

    private final Trial trial;
    private final Findings findings;
    private final Patience patience;
    private final int observer;

    ReturnPromise(Trial trial, Findings findings, Patience patience) {
        this.trial = trial;
        this.findings = findings;
        this.patience = patience;
        this.observer = trial.history().clocks().size() - 1;
    }

    void judge() {
        List<Call> calls = trial.calls().all();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.answer() == null) {
                judgeSilence(call);
            } else {
                judgeDelay(call);
                judgeWait(call);
                judgeDoubt(call);
            }
        }
    }

    private boolean isTheObserversWait(Call call) {
        return call.life().machine() == observer && call.calledNanos() >= trial.healedNanos() && call.kind() == Kind.ACQUIRE;
    }

    /** One that never returned. */
    private void judgeSilence(Call call) {
        if (!call.life().isAliveAt(trial.finishedNanos()) || isTheObserversWait(call)) {
            return;
        }
        long allowedNanos = patience.callNanos(call);
        long awakeNanos = Math.max(call.calledNanos(), trial.lives().wakeNanos(call.life().machine()));
        if (allowedNanos < trial.finishedNanos() - awakeNanos) {
            findings.violation(Promise.G7, awakeNanos + allowedNanos, call.operation().lease(), "the caller of " + call + " of "
                    + Words.seconds(call.calledNanos()) + " was promised an answer by "
                    + Words.seconds(awakeNanos + allowedNanos) + ", and had none when the history was over at "
                    + Words.seconds(trial.finishedNanos()));
        }
    }

    private void judgeDelay(Call call) {
        long allowedNanos = isTheObserversWait(call) ? Trial.NEVER : patience.callNanos(call);
        if (allowedNanos < call.answeredNanos() - call.calledNanos()
                && trial.lives().isAwake(call.life().machine(), call.calledNanos(), call.answeredNanos())) {
            findings.violation(Promise.G7, call.calledNanos() + allowedNanos, call.operation().lease(), "the caller of " + call + " of "
                    + Words.seconds(call.calledNanos()) + " was promised an answer by "
                    + Words.seconds(call.calledNanos() + allowedNanos) + ", and had it at " + Words.seconds(call.answeredNanos()));
        }
    }

    /** A refusal shows how the lease stands. Whatever else ends a wait is no such answer. */
    private void judgeWait(Call call) {
        if (call.kind() != Kind.ACQUIRE || !call.isAnswered(Answer.Kind.NO) || call.answer().shown().isEmpty()) {
            return;
        }
        long waitNanos = isTheObserversWait(call) ? patience.observersWaitNanos() - sinceTheHealingNanos(call)
                : patience.leastWaitNanos(call.life().machine(), call.operation().lease());
        long waitedNanos = call.life().elapsedNanos(call.calledNanos(), call.answeredNanos());
        if (waitedNanos < waitNanos) {
            findings.violation(Promise.G7, call.answeredNanos(), call.operation().lease(), "the caller of " + call + " of "
                    + Words.seconds(call.calledNanos()) + " was to wait for " + Words.seconds(waitNanos) + ", and was refused at "
                    + Words.seconds(call.answeredNanos()) + ", when its clock had run " + Words.seconds(waitedNanos));
        }
    }

    /** The observer tries again while there is time. */
    private long sinceTheHealingNanos(Call call) {
        return call.life().elapsedNanos(trial.healedNanos(), call.calledNanos());
    }

    /** Those of the handles and of the operators have nobody who would ask later. */
    private void judgeDoubt(Call call) {
        boolean mayBeAsked = call.asksForALease() && call.kind() != Kind.ACQUIRE
                || call.kind() == Kind.EXTEND || call.kind() == Kind.RELEASE || call.kind() == Kind.EXPIRE || call.kind() == Kind.FORCE_EXPIRE;
        if (!mayBeAsked || !call.isAnswered(Answer.Kind.UNKNOWN) || call.lastWord() != call.answer()
                || call.life().endsNanos() < Trial.NEVER || !patience.answersComeInTime()) {
            return;
        }
        long awakeNanos = Math.max(call.answeredNanos(), trial.lives().wakeNanos(call.life().machine()));
        long dueNanos = Math.max(awakeNanos, trial.healedNanos()) + patience.slackNanos();
        if (dueNanos < trial.finishedNanos()) {
            findings.violation(Promise.G7, dueNanos, call.operation().lease(), "the caller of " + call + " was told at "
                    + Words.seconds(call.answeredNanos()) + " that nobody knows, there were no faults from "
                    + Words.seconds(trial.healedNanos()) + " on, and by " + Words.seconds(dueNanos)
                    + " it was not told what became of it");
        }
    }
}
