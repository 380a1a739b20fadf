package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import java.util.List;

/** Whoever is told that something has gone wrong is told of something that did: LIM where nothing can in this world, and G8. */
final class FailurePromise {

    private final Trial trial;
    private final Findings findings;

    FailurePromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
    }

    void judge() {
        List<Call> calls = trial.calls().all();
        for (int i = 0; i < calls.size(); i++) {
            Answer answer = calls.get(i).answer();
            if (answer != null && answer.reason() != null) {
                judge(calls.get(i), answer.reason());
            }
        }
    }

    private void judge(Call call, String reason) {
        switch (reason) {
            // The database of this world never refuses a command for good.
            case "LeaseStoreException" ->
                violation(Promise.LIM, call, "something failed unexpectedly, which nothing does");
            case "ClockAnomalyException" -> {
                if (findings.isInside()) {
                    violation(Promise.G8, call, "a clock went wrong, and all of them keep to the bound");
                }
            }
            case "CorruptDocumentException" -> {
                if (!mayHaveSeenDamage(call)) {
                    violation(Promise.G8, call, "a document is damaged, and nobody had damaged it");
                }
            }
            default -> {}
        }
    }

    /** What is taken back may leave a document that no write has made. */
    private boolean mayHaveSeenDamage(Call call) {
        String name = call.operation().lease();
        if (trial.database().rollbacks() > 0) {
            return true;
        }
        return name == null
                ? trial.database().leases().stream().anyMatch(LeaseTimeline::isDamaged)
                : trial.database().lease(name).isDamaged();
    }

    private void violation(Promise promise, Call call, String what) {
        findings.violation(
                promise,
                call.answeredNanos(),
                call.operation().lease(),
                "the caller of " + call + " was told at " + Words.seconds(call.answeredNanos()) + " that " + what);
    }
}
