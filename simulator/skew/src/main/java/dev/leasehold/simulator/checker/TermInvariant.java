package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;

import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G1: after a successful claim or take-over the lease is held under the new tenure until at least the asked duration after the start of
 * the call, by the claiming engine's clock, unless that tenure is released. G2: a successful extension guarantees the same. Another
 * handle of a tenure guarantees what the first one did, and a lease that a session keeps has no term.
 */
record TermInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (Tenure tenure : history.tenures) {
            if (tenure.end == Tenure.End.TAKEN) {
                tenure.grants.forEach(grant -> check(tenure, grant));
            }
        }
    }

    private void check(Tenure tenure, Call grant) {
        long durationNanos = guaranteedNanos(tenure, grant);
        if (grant.by.passedNanos(grant.calledNanos, tenure.endedNanos()) < durationNanos) {
            violations.addInside(
                    grant.kind() == Kind.EXTEND ? G2 : G1,
                    tenure.endedNanos(),
                    tenure.held.lease(),
                    "%s was guaranteed the lease until %s by %s, and %s ended it",
                    tenure.held,
                    grant.by.afterElapsedNanos(grant.calledNanos, durationNanos),
                    grant,
                    String.valueOf(tenure.ended));
        }
    }

    /** For how long from the start of the call; 0 for no time of its own. */
    private static long guaranteedNanos(Tenure tenure, Call grant) {
        if (!grant.asksForTerm() || grant.kind() != Kind.ACQUIRE) {
            return grant.asksForTerm() ? grant.operation.durationNanos() : 0;
        }
        boolean begins = tenure.begun.by == grant.by && tenure.begun.atNanos >= grant.calledNanos;
        return begins ? shortestNanos(tenure, grant.by) : 0;
    }

    /** Of several acquisitions of one engine that came at the same time, any may have begun the tenure. */
    private static long shortestNanos(Tenure tenure, Incarnation by) {
        return tenure.grants.stream()
                .filter(grant -> grant.kind() == Kind.ACQUIRE && grant.by == by)
                .mapToLong(grant -> grant.asksForTerm() ? grant.operation.durationNanos() : 0)
                .min()
                .orElse(0);
    }
}
