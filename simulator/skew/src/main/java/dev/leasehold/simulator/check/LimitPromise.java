package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;

/** LIM: nothing runs in circles, breaks, or grows without bound. */
final class LimitPromise {

    /** Every registration in doubt takes a fresh name, and the old entry stays until it is pruned. */
    private static final int ENTRIES_PER_ENGINE_MAX = 32;

    /** Who has paused for less may be slow, and no more than that. */
    private static final long RESTS_NANOS_MIN = 1_000_000_000;

    private final Findings findings;
    private boolean entriesTold;

    LimitPromise(Findings findings) {
        this.findings = findings;
    }

    void exceeded(Event.Exceeded event) {
        findings.violation(Promise.LIM, event.atNanos(), null, "a limit was exceeded at " + Words.seconds(event.atNanos())
                + ": " + event.limit());
    }

    void reached(Event.Reached event) {
        if (event.restedNanos() != null && event.restedNanos() < RESTS_NANOS_MIN) {
            findings.violation(Promise.LIM, event.atNanos(), null, "the engine on m" + event.machine() + " ended at "
                    + Words.seconds(event.atNanos()) + " the transaction of another engine that had rested for no more than "
                    + Words.seconds(event.restedNanos()));
        }
    }

    void broken(Event.Broken event) {
        findings.violation(Promise.LIM, event.atNanos(), null, "the engine on m" + event.machine() + " broke at "
                + Words.seconds(event.atNanos()) + ": " + event.failure());
    }

    void entries(int entries, int engines, long atNanos) {
        if (entries > ENTRIES_PER_ENGINE_MAX * Math.max(1, engines) && !entriesTold) {
            entriesTold = true;
            findings.violation(Promise.LIM, atNanos, null, "the clock document had " + entries + " writers at "
                    + Words.seconds(atNanos) + ", of " + engines + " engines that were ever started");
        }
    }
}
