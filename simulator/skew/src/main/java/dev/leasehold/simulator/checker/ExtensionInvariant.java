package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G2;

/**
 * G2: an extension never shortens. Of two writes of a tenure the clock of the later writer does not reach its expiry before the clock of the
 * earlier one has reached the one that it stored; a term stays a term, and a lease of a session one of that.
 */
record ExtensionInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (Tenure tenure : history.tenures) {
            for (int i = 1; i < tenure.writes.size(); i++) {
                check(tenure, tenure.writes.get(i - 1), tenure.writes.get(i));
            }
        }
    }

    private void check(Tenure tenure, Tenure.Write before, Tenure.Write after) {
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

    private static boolean isShorter(
            Tenure.Write before, long expiryBeforeNanos, Tenure.Write after, long expiryAfterNanos) {
        if (before.by() == after.by()) {
            return expiryAfterNanos < expiryBeforeNanos;
        }
        long overNanos = after.by().whenItShowsNanos(expiryAfterNanos);
        long writtenNanos = before.commit().atNanos;
        return overNanos != Incarnation.NEVER
                && before.by().sinceStampNanos(overNanos, before.writtenNanos(), writtenNanos)
                        < expiryBeforeNanos - before.writtenNanos();
    }
}
