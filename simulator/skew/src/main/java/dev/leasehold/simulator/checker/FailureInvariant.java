package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;

/**
 * LIM: no caller is told that something failed that nothing made fail, no limit of the world is exceeded, and no code of the engine breaks.
 * G8: a caller that is told of a damaged document, of a clock gone wrong, or of a closed engine, is told of one that was; to be held means that
 * time is left, and a handle that was over once is not held again.
 */
record FailureInvariant(Model history, Violations violations) {

    void check() {
        for (Call call : history.calls.values()) {
            if (call.isAnsweredFor("LeaseStoreException")) {
                violations.add(LIM, call, "that something failed unexpectedly, which nothing does,");
            } else if (call.isAnsweredFor("ClockAnomalyException") && history.isInside()) {
                violations.add(G8, call, "that a clock went wrong, and all of them keep to the bound,");
            } else if (call.isAnsweredFor("CorruptDocumentException") && !mayHaveSeenDamage(call)) {
                violations.add(G8, call, "that a document is damaged, and none was");
            } else if (call.isAnsweredFor(Answer.ENGINE_CLOSED) && call.by.endsNanos() > call.answeredNanos) {
                violations.add(G8, call, "that the engine is closed, and it was not asked to close before");
            }
        }
        history.tell(new Handlers<Event>()
                .on(Event.Exceeded.class, this::exceeded)
                .on(Event.Broken.class, this::broken)
                .on(Event.Revived.class, this::revived)
                .on(Event.Disagreed.class, this::disagreed));
    }

    private boolean mayHaveSeenDamage(Call call) {
        return history.leases.values().stream()
                .anyMatch(lease -> lease.isDamaged() && (call.lease() == null || lease.name.equals(call.lease())));
    }

    private void exceeded(Event.Exceeded event) {
        violations.add(LIM, event.atNanos(), null, "a limit was exceeded: %s", event.limit());
    }

    private void broken(Event.Broken event) {
        violations.add(LIM, event.atNanos(), null, "the engine on m%s broke: %s", event.machine(), event.failure());
    }

    private void revived(Event.Revived event) {
        String what = "a handle of %s on m%s was over, and says that the lease is held";
        violations.add(G8, event.atNanos(), event.tenure().lease(), what, event.tenure(), event.machine());
    }

    private void disagreed(Event.Disagreed event) {
        String what = "the engine on m%s says of %s that it is held, and that no time is left, or the other way round,";
        violations.add(G8, event.atNanos(), event.tenure().lease(), what, event.machine(), event.tenure());
    }
}
