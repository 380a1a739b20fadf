package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;

/** The part of G7 about calls: they return at all, and who was told that nobody knows is told later what became of it. */
final class ReturnPromise {

    private final Trial trial;
    private final Findings findings;
    private final Patience patience;

    ReturnPromise(Trial trial, Findings findings, Patience patience) {
        this.trial = trial;
        this.findings = findings;
        this.patience = patience;
    }

    void judge() {
        List<Call> calls = trial.calls().all();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.answer() == null) {
                judgeSilence(call);
            } else {
                judgeDoubt(call);
            }
        }
    }

    /** One that never returned. */
    private void judgeSilence(Call call) {
        if (!call.life().isAliveAt(trial.finishedNanos())) {
            return;
        }
        long allowedNanos = patience.callNanos(call);
        long awakeNanos =
                Math.max(call.calledNanos(), trial.lives().wakeNanos(call.life().machine()));
        if (allowedNanos < trial.finishedNanos() - awakeNanos) {
            findings.violation(
                    Promise.G7,
                    awakeNanos + allowedNanos,
                    call.operation().lease(),
                    "the caller of " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was promised an answer by "
                            + Words.seconds(awakeNanos + allowedNanos) + ", and had none when the history was over at "
                            + Words.seconds(trial.finishedNanos()));
        }
    }

    /** Those of the handles and of the operators have nobody who would ask later. */
    private void judgeDoubt(Call call) {
        boolean mayBeAsked = call.asksForALease() && call.kind() != Kind.ACQUIRE
                || call.kind() == Kind.EXTEND
                || call.kind() == Kind.RELEASE
                || call.kind() == Kind.EXPIRE
                || call.kind() == Kind.FORCE_EXPIRE;
        if (!mayBeAsked
                || !call.isAnswered(Answer.Kind.UNKNOWN)
                || call.lastWord() != call.answer()
                || call.life().endsNanos() < Trial.NEVER
                || !patience.answersComeInTime()) {
            return;
        }
        long awakeNanos = Math.max(
                call.answeredNanos(), trial.lives().wakeNanos(call.life().machine()));
        long dueNanos = Math.max(awakeNanos, trial.healedNanos()) + patience.slackNanos();
        if (dueNanos < trial.finishedNanos()) {
            findings.violation(
                    Promise.G7,
                    dueNanos,
                    call.operation().lease(),
                    "the caller of " + call + " was told at "
                            + Words.seconds(call.answeredNanos()) + " that nobody knows, there were no faults from "
                            + Words.seconds(trial.healedNanos()) + " on, and by " + Words.seconds(dueNanos)
                            + " it was not told what became of it");
        }
    }
}
