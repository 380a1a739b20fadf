package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;

import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G1: after a successful claim or take-over the lease is held under the new tenure until at least the asked duration after the start of
 * the call, by the claiming engine's clock, unless that tenure is released. G2: a successful extension guarantees the same. Another
 * handle of a tenure guarantees what the first one did, and a lease that a session keeps has no term.
 *
 * <p>G2: an extension never shortens. Of two writes of a tenure the clock of the later writer does not reach its expiry before the clock of
 * the earlier one has reached the one that it stored; a term stays a term, and a lease of a session one of that.
 */
record TermInvariant(Model history, Violations violations) {

    void check() {
        for (Tenure tenure : history.tenures) {
            if (tenure.end == Tenure.End.TAKEN) {
                tenure.grants.forEach(grant -> checkGrant(tenure, grant));
            }
            for (int i = 1; i < tenure.writes.size(); i++) {
                checkExtension(tenure, tenure.writes.get(i - 1), tenure.writes.get(i));
            }
        }
    }

    // ---- what was asked for ----

    private void checkGrant(Tenure tenure, Call grant) {
        if (!isKept(tenure, grant)) {
            violations.addInside(
                    grant.kind() == Kind.EXTEND ? G2 : G1,
                    tenure.endedNanos(),
                    tenure.held.lease(),
                    "%s was guaranteed the lease until %s by %s, and %s ended it",
                    tenure.held,
                    grant.by.clock.afterElapsedNanos(grant.calledNanos, grant.termNanos()),
                    grant,
                    String.valueOf(tenure.ended));
        }
    }

    /** Of several acquisitions of one engine that came at the same time, any may have begun the tenure, and the others share what that one has. */
    private boolean isKept(Tenure tenure, Call grant) {
        if (grant.kind() != Kind.ACQUIRE) {
            return hasLasted(tenure, grant);
        }
        return !mayHaveBegun(tenure, grant)
                || tenure.lease.calls.stream().anyMatch(call -> mayHaveBegun(tenure, call) && hasLasted(tenure, call));
    }

    /** Whether it is an acquisition that came before the tenure began there. It may be cut short before its answer. */
    private static boolean mayHaveBegun(Tenure tenure, Call call) {
        return call.kind() == Kind.ACQUIRE
                && call.by == tenure.by
                && call.calledNanos <= tenure.begun.atNanos
                && (tenure.grants.contains(call) || call.isCutShort() && call.mayBegin(tenure.held));
    }

    /** Whether the time was over that a call asks for, from its start on. */
    private boolean hasLasted(Tenure tenure, Call call) {
        long passedNanos = call.by.passedNanos(call.calledNanos, tenure.endedNanos());
        return passedNanos >= call.termNanos()
                || passedNanos + history.aheadNanos(call.by, tenure.endedNanos()) >= call.termNanos();
    }

    // ---- what was stored ----

    private void checkExtension(Tenure tenure, Tenure.Write before, Tenure.Write after) {
        Long expiryBefore = before.expiryNanos();
        Long expiryAfter = after.expiryNanos();
        if ((expiryBefore == null) != (expiryAfter == null)) {
            String what = "%s had the lease, and %s made a term of the session that kept it, or the other way round,";
            violations.add(G2, after.commit().atNanos, tenure.held.lease(), what, tenure.held, after.by());
        } else if (expiryBefore != null && expiryAfter != null && isShorter(before, expiryBefore, after, expiryAfter)) {
            violations.addInside(
                    G2,
                    after.commit().atNanos,
                    tenure.held.lease(),
                    "%s had the lease until the clock of %s shows %s, and now until that of %s shows %s,",
                    tenure.held,
                    before.by(),
                    expiryBefore,
                    after.by(),
                    expiryAfter);
        }
    }

    /** Another engine counts from the stamps of the former one, which may be ahead of its clock. */
    private boolean isShorter(Tenure.Write before, long expiryBeforeNanos, Tenure.Write after, long expiryAfterNanos) {
        if (before.by() == after.by()) {
            return expiryAfterNanos < expiryBeforeNanos;
        }
        long overNanos = after.by().whenItShowsNanos(expiryAfterNanos);
        long writtenNanos = before.commit().atNanos;
        return overNanos != Incarnation.NEVER
                && before.by().sinceStampNanos(overNanos, before.writtenNanos(), writtenNanos)
                                + history.aheadNanos(before.by(), after.commit().atNanos)
                        < expiryBeforeNanos - before.writtenNanos();
    }
}
