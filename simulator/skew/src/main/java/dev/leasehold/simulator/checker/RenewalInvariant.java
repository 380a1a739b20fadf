package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G7: a live engine that reaches the database keeps the leases of its handles. None of them is lost by time once the faults have been over
 * for as long as a renewal may take, where a term, or a session, lasts long enough to be renewed on that network. Another engine that
 * extends the same tenure, and a caller that has its lease in an open transaction, may be in the way.
 */
final class RenewalInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        if (!AvailabilityInvariant.isJudged(history)) {
            return;
        }
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                for (Call handle : tenure.handles()) {
                    for (Event.Lost loss : handle.losses()) {
                        check(history, lease, tenure, handle, loss, violations);
                    }
                }
            }
        }
    }

    private static void check(
            Model history, LeaseLog lease, Tenure tenure, Call handle, Event.Lost loss, Violations violations) {
        long lostNanos = loss.atNanos();
        Tenure.Write last = tenure.lastWrite(lostNanos);
        if (last == null || isEnded(tenure, handle, lostNanos) || isCarriedOnElsewhere(history, last, handle)) {
            return;
        }
        long durationNanos = last.expiryNanos() == null
                ? history.conditions().sessionNanos().get(handle.by().machine())
                : last.expiryNanos() - last.writtenNanos();
        long healthyNanos = Math.max(
                Math.max(history.healthyNanos(), lease.unsettledNanos()),
                AvailabilityInvariant.freeFromOrphansNanos(history, lease));
        if (healthyNanos < Incarnation.NEVER
                && lostNanos > healthyNanos + history.bounds().renewedNanos(durationNanos)
                && history.bounds().isRenewable(durationNanos)
                && !isAsserted(history, lease, lostNanos - durationNanos, lostNanos)) {
            violations.add(
                    Guarantee.G7,
                    lostNanos,
                    lease.name(),
                    Words.holder(tenure.held()) + " was promised to keep the lease, since " + handle.by()
                            + " lived and there were no faults from " + Words.seconds(healthyNanos)
                            + " on, and it was lost at " + Words.seconds(lostNanos) + " (" + loss.reason() + ")");
        }
    }

    private static boolean isEnded(Tenure tenure, Call handle, long lostNanos) {
        return tenure.end() == Tenure.End.ORDERED
                || tenure.end() == Tenure.End.DAMAGED
                || tenure.isReleasedBy(lostNanos)
                || handle.by().endsNanos() <= lostNanos;
    }

    private static boolean isCarriedOnElsewhere(Model history, Tenure.Write last, Call handle) {
        return last.by() != handle.by() && last.commit().atNanos() >= history.healedNanos();
    }

    private static boolean isAsserted(Model history, LeaseLog lease, long fromNanos, long toNanos) {
        for (Call call : lease.calls()) {
            if (call.kind() == Kind.GATE && call.calledNanos() <= toNanos && call.answeredNanos() >= fromNanos) {
                return true;
            }
        }
        return false;
    }
}
