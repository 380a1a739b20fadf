package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G1: after a successful claim or take-over the lease is held under the new tenure until at least the asked duration after the start of
 * the call, by the claiming engine's clock, unless somebody releases that tenure. G2: a successful extension promises the same. Another
 * handle of a tenure promises what the first one did, and a lease that a session keeps has no term.
 */
final class TermInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                Commit ended = tenure.ended();
                if (ended != null && tenure.end() == Tenure.End.TAKEN) {
                    for (Call grant : tenure.grants()) {
                        check(tenure, ended, grant, violations);
                    }
                }
            }
        }
    }

    private static void check(Tenure tenure, Commit ended, Call grant, Violations violations) {
        long durationNanos = promisedNanos(tenure, grant);
        if (grant.by().passedNanos(grant.calledNanos(), ended.atNanos()) < durationNanos) {
            violations.addInside(
                    grant.kind() == Kind.EXTEND ? Guarantee.G2 : Guarantee.G1,
                    ended.atNanos(),
                    tenure.held().lease(),
                    Words.holder(tenure.held()) + " was promised to hold the lease until "
                            + Words.seconds(grant.by().afterElapsedNanos(grant.calledNanos(), durationNanos)) + " by "
                            + grant + " of " + Words.seconds(grant.calledNanos()) + ", and " + ended + " ended it at "
                            + Words.seconds(ended.atNanos()));
        }
    }

    /** For how long from the start of the call; 0 for no time of its own. */
    private static long promisedNanos(Tenure tenure, Call grant) {
        if (!grant.asksForTerm()) {
            return 0;
        }
        if (grant.kind() != Kind.ACQUIRE) {
            return grant.operation().durationNanos();
        }
        boolean begins = tenure.begun().by() == grant.by() && tenure.begun().atNanos() >= grant.calledNanos();
        return begins ? shortestNanos(tenure, grant.by()) : 0;
    }

    /** Of several acquisitions of one engine that came at the same time, any may have begun the tenure. */
    private static long shortestNanos(Tenure tenure, Incarnation by) {
        long shortestNanos = Long.MAX_VALUE;
        for (Call grant : tenure.grants()) {
            if (grant.kind() == Kind.ACQUIRE && grant.by() == by) {
                shortestNanos = Math.min(
                        shortestNanos,
                        grant.operation().session() ? 0 : grant.operation().durationNanos());
            }
        }
        return shortestNanos;
    }
}
