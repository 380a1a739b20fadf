package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about what a tenure began with: a claim is granted only what nobody held, past its expiry or not, and a take-over only what
 * somebody did.
 */
final class Occasion {

    private final Trial trial;
    private final Findings findings;

    Occasion(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
    }

    /** The call was told that the tenure is its own. */
    void judge(Call call, Tenure begun, long atNanos) {
        Tenure former = heldUntil(begun);
        if (call.kind() == Kind.CLAIM && former != null) {
            notSo(
                    call,
                    begun,
                    atNanos,
                    Words.holder(former.held()) + " had it until then, whose tenure no claim may end");
        } else if (call.kind() == Kind.TAKE_OVER && former == null) {
            notSo(call, begun, atNanos, "nobody had it until then");
        }
    }

    private void notSo(Call call, Tenure begun, long atNanos, String how) {
        // A clone that writes under another's name may bring a session back that was over.
        findings.violationInside(
                Promise.G8,
                atNanos,
                begun.held().lease(),
                "the caller of " + call + " was granted at " + Words.seconds(atNanos) + " what began as "
                        + Words.holder(begun.held()) + " at "
                        + Words.seconds(begun.begun().atNanos()) + ", and " + how);
    }

    /** The tenure that the same write ended; null if nobody held the lease, or a session that was over by then. */
    private @Nullable Tenure heldUntil(Tenure begun) {
        Tenure former = null;
        for (LeaseTimeline.Version version :
                trial.database().lease(begun.held().lease()).versions()) {
            if (version.commit() == begun.begun()) {
                return former == null || wasFree(former, begun) ? null : former;
            }
            former = version.tenure();
        }
        return null;
    }

    private static boolean wasFree(Tenure former, Tenure begun) {
        Commit sessionEnded = former.sessionEnded();
        return sessionEnded != null && sessionEnded != begun.begun();
    }
}
