package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import java.util.List;

/**
 * G2: nothing shortens what a holder was granted. Of two writes of a tenure the clock of the later writer does not reach its expiry before
 * the clock of the earlier one has reached the one that it stored; a term stays a term, and a lease of a session one of that; and what an
 * engine says is left of a tenure does not become less than it said before, as long as its time of day keeps pace.
 */
final class NeverShorterInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                List<Tenure.Write> writes = tenure.writes();
                for (int i = 1; i < writes.size(); i++) {
                    check(tenure, writes.get(i - 1), writes.get(i), violations);
                }
            }
            for (ValidityWindow window : lease.windows()) {
                check(history, window, violations);
            }
        }
    }

    private static void check(Tenure tenure, Tenure.Write before, Tenure.Write after, Violations violations) {
        String kept = Words.holder(tenure.held()) + " had the lease "
                + (before.expiryNanos() == null
                        ? "from a session"
                        : "until the clock of " + before.by() + " shows " + Words.seconds(before.expiryNanos()))
                + ", and " + after.by();
        if ((before.expiryNanos() == null) != (after.expiryNanos() == null)) {
            violations.add(
                    Guarantee.G2,
                    after.commit().atNanos(),
                    tenure.held().lease(),
                    kept + " made it another kind at "
                            + Words.seconds(after.commit().atNanos()));
        } else if (before.expiryNanos() != null
                && after.expiryNanos() != null
                && isShorter(before, before.expiryNanos(), after, after.expiryNanos())) {
            violations.addInside(
                    Guarantee.G2,
                    after.commit().atNanos(),
                    tenure.held().lease(),
                    kept + " shortened that at " + Words.seconds(after.commit().atNanos())
                            + " to when its own clock shows " + Words.seconds(after.expiryNanos()));
        }
    }

    private static boolean isShorter(
            Tenure.Write before, long expiryBeforeNanos, Tenure.Write after, long expiryAfterNanos) {
        if (before.by() == after.by()) {
            return expiryAfterNanos < expiryBeforeNanos;
        }
        long overNanos = after.by().whenItShowsNanos(expiryAfterNanos);
        return overNanos != Incarnation.NEVER
                && before.by()
                                .sinceStampNanos(
                                        overNanos,
                                        before.writtenNanos(),
                                        before.commit().atNanos())
                        < expiryBeforeNanos - before.writtenNanos();
    }

    private static void check(Model history, ValidityWindow window, Violations violations) {
        Incarnation by = window.by();
        for (int i = 1; i < window.said().size(); i++) {
            Event.Believed before = window.said().get(i - 1);
            Event.Believed after = window.said().get(i);
            long lessNanos = before.untilNanos() - after.untilNanos();
            if (lessNanos > 0
                    && lessNanos > mayDifferNanos(history, by, before.untilNanos() - after.atNanos())
                    && !history.machines().hasUnevenTime(by.machine(), after.atNanos())) {
                violations.addInside(
                        Guarantee.G2,
                        after.atNanos(),
                        window.tenure().lease(),
                        by + " said before " + Words.seconds(after.atNanos()) + " that "
                                + Words.holder(window.tenure()) + " holds the lease until "
                                + Words.seconds(before.untilNanos()) + ", and says now that it does so until "
                                + Words.seconds(after.untilNanos()));
            }
        }
    }

    /** The two clocks of a machine come to the end a little apart, and which of them does first is seen anew with each stamp. */
    private static long mayDifferNanos(Model history, Incarnation by, long leftNanos) {
        return history.bounds().outlivedNanos(leftNanos) - leftNanos + 2 * by.wallPrecisionNanos() + by.unseenNanos();
    }
}
