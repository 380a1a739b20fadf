package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G7: a live engine that reaches the database keeps the leases of its handles. None of them is lost by time once the faults have been over
 * for as long as a renewal may take, where a term, or a session, lasts long enough to be renewed on that network. Another engine that
 * extends the same tenure, and a caller that has its lease in an open transaction, may be in the way.
 */
record RenewalInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        if (history.isLive()) {
            for (Tenure tenure : history.tenures) {
                for (Call handle : tenure.handles) {
                    for (Event.Lost loss : handle.losses) {
                        check(tenure, handle, loss);
                    }
                }
            }
        }
    }

    private void check(Tenure tenure, Call handle, Event.Lost loss) {
        LeaseLog lease = tenure.lease;
        long lostNanos = loss.atNanos();
        Tenure.Write last = tenure.lastWrite(lostNanos);
        if (last == null || isEnded(tenure, handle, lostNanos) || isCarriedOnElsewhere(last, handle)) {
            return;
        }
        long durationNanos = last.expiryNanos() == null
                ? history.conditions.sessionNanos().get(handle.by.machine)
                : last.expiryNanos() - last.writtenNanos();
        long healthyNanos =
                Math.max(Math.max(history.healthyNanos(), lease.mendedNanos()), history.freeFromCallersNanos(lease));
        if (healthyNanos < Incarnation.NEVER
                && lostNanos > healthyNanos + history.bounds.renewedNanos(durationNanos)
                && history.bounds.isRenewable(durationNanos)
                && !isAsserted(lease, lostNanos - durationNanos, lostNanos)) {
            violations.add(
                    G7,
                    lostNanos,
                    lease.name,
                    "%s was guaranteed the lease, since %s lived and there were no faults from %s on, and lost it (%s)",
                    tenure.held,
                    handle.by,
                    healthyNanos,
                    loss.reason());
        }
    }

    private static boolean isEnded(Tenure tenure, Call handle, long lostNanos) {
        return tenure.end == Tenure.End.ORDERED
                || tenure.end == Tenure.End.DAMAGED
                || tenure.isReleasedBy(lostNanos)
                || handle.by.endsNanos() <= lostNanos;
    }

    private boolean isCarriedOnElsewhere(Tenure.Write last, Call handle) {
        return last.by() != handle.by && last.commit().atNanos >= history.healedNanos;
    }

    private static boolean isAsserted(LeaseLog lease, long fromNanos, long toNanos) {
        return lease.calls.stream()
                .anyMatch(call ->
                        call.kind() == Kind.GATE && call.calledNanos <= toNanos && call.answeredNanos >= fromNanos);
    }
}
