package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;

/** G2: a successful extension stays good, and no write shortens what was stored before. */
final class ExtendPromise {

    private final Findings findings;
    private final TermPromise term;

    ExtendPromise(Findings findings) {
        this.findings = findings;
        this.term = new TermPromise(Promise.G2, findings);
    }

    void judge(LeaseTimeline lease) {
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            List<Call> grants = tenure.grants();
            for (int j = 0; j < grants.size(); j++) {
                if (grants.get(j).kind() == Kind.EXTEND) {
                    term.judge(tenure, grants.get(j));
                }
            }
            judgeWrites(tenure);
        }
    }

    private void judgeWrites(Tenure tenure) {
        List<Write> writes = tenure.writes();
        for (int i = 1; i < writes.size(); i++) {
            Write before = writes.get(i - 1);
            Write after = writes.get(i);
            if ((before.expiryNanos() == null) != (after.expiryNanos() == null)) {
                findings.violation(
                        Promise.G2,
                        after.commit().atNanos(),
                        tenure.held().lease(),
                        Words.holder(tenure.held())
                                + " had the lease " + (before.expiryNanos() == null ? "from a session" : "for a term")
                                + ", and " + after.life()
                                + " made it another kind at "
                                + Words.seconds(after.commit().atNanos()));
            }
            if (before.expiryNanos() != null
                    && after.expiryNanos() != null
                    && isShorter(before, before.expiryNanos(), after, after.expiryNanos())) {
                findings.violationInside(
                        Promise.G2,
                        after.commit().atNanos(),
                        tenure.held().lease(),
                        Words.holder(tenure.held()) + " had the lease stored until the clock of " + before.life()
                                + " shows "
                                + Words.seconds(before.expiryNanos()) + ", and " + after.life() + " shortened that at "
                                + Words.seconds(after.commit().atNanos()) + " to when its own clock shows "
                                + Words.seconds(after.expiryNanos()));
            }
        }
    }

    /** Of two clocks the later must not reach its expiry while the earlier has not reached its own. */
    private static boolean isShorter(Write before, long expiryBeforeNanos, Write after, long expiryAfterNanos) {
        if (before.life() == after.life()) {
            return expiryAfterNanos < expiryBeforeNanos;
        }
        long overNanos = after.life().whenItShowsNanos(expiryAfterNanos);
        return overNanos != Long.MAX_VALUE
                && before.life()
                                .passedNanos(
                                        overNanos,
                                        before.writtenNanos(),
                                        before.commit().atNanos())
                        < expiryBeforeNanos - before.writtenNanos();
    }
}
