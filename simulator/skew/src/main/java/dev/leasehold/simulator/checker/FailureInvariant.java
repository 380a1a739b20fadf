package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;

/**
 * LIM: no caller is told that something failed that nothing made fail, no limit of the world is exceeded, and no code of the engine breaks.
 * G8: who is told of a damaged document, or of a clock gone wrong, is told of one that was.
 */
final class FailureInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (Call call : history.calls()) {
            if (call.isAnsweredFor("LeaseStoreException")) {
                violation(Guarantee.LIM, call, "something failed unexpectedly, which nothing does", violations);
            } else if (call.isAnsweredFor("ClockAnomalyException")
                    && history.conditions().inside()) {
                violation(Guarantee.G8, call, "a clock went wrong, and all of them keep to the bound", violations);
            } else if (call.isAnsweredFor("CorruptDocumentException") && !mayHaveSeenDamage(history, call)) {
                violation(Guarantee.G8, call, "a document is damaged, and nobody had damaged it", violations);
            }
        }
        Event.Visitor failures = failures(violations);
        for (Event event : history.told()) {
            event.accept(failures);
        }
    }

    /** What is taken back may leave a document that no write has made. */
    private static boolean mayHaveSeenDamage(Model history, Call call) {
        if (history.rollbacks() > 0) {
            return true;
        }
        for (LeaseLog lease : history.leases()) {
            if (lease.isDamaged() && (call.lease() == null || lease.name().equals(call.lease()))) {
                return true;
            }
        }
        return false;
    }

    private static void violation(Guarantee guarantee, Call call, String what, Violations violations) {
        violations.add(
                guarantee,
                call.answeredNanos(),
                call.lease(),
                "the caller of " + call + " was told at " + Words.seconds(call.answeredNanos()) + " that " + what);
    }

    private static Event.Visitor failures(Violations violations) {
        return new Event.Visitor() {
            @Override
            public void on(Event.Exceeded event) {
                violations.add(
                        Guarantee.LIM,
                        event.atNanos(),
                        null,
                        "a limit was exceeded at " + Words.seconds(event.atNanos()) + ": " + event.limit());
            }

            @Override
            public void on(Event.Broken event) {
                violations.add(
                        Guarantee.LIM,
                        event.atNanos(),
                        null,
                        "the engine on m" + event.machine() + " broke at " + Words.seconds(event.atNanos()) + ": "
                                + event.failure());
            }
        };
    }
}
