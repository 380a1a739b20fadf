package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.T2;

import java.util.List;

/**
 * T2: no two tenures of a lease are held at the same true instant, each by its own engine's clock. The exception are orders, of which the
 * holder learns afterwards: a forced expiry, a release by another engine, or a superseding acquisition.
 */
record MutualExclusionInvariant(Model history, Violations violations) {

    void check() {
        for (LeaseLog lease : history.leases.values()) {
            List<ValidityWindow> windows = lease.windows;
            for (int i = 1; i < windows.size(); i++) {
                for (int j = 0; j < i; j++) {
                    check(lease, windows.get(j), windows.get(i));
                }
            }
        }
    }

    private void check(LeaseLog lease, ValidityWindow one, ValidityWindow other) {
        if (one.untilNanos - one.by.unseenNanos() > other.fromNanos
                && other.untilNanos > other.fromNanos
                && !one.tenure.equals(other.tenure)
                && !isToldAfterwards(lease, one, other.fromNanos)
                && !isToldAfterwards(lease, other, other.fromNanos)) {
            String what = "%s held the lease on %s until %s, and %s on %s too";
            violations.addInside(
                    T2, other.fromNanos, lease.name, what, one.tenure, one.by, one.untilNanos, other.tenure, other.by);
        }
    }

    private static boolean isToldAfterwards(LeaseLog lease, ValidityWindow window, long atNanos) {
        Tenure tenure = lease.tenure(window.tenure);
        Commit ended = tenure == null ? null : tenure.ended;
        return tenure != null
                && ended != null
                && ended.atNanos <= atNanos
                && (tenure.end == Tenure.End.ORDERED
                        || tenure.end == Tenure.End.DAMAGED
                        || tenure.end == Tenure.End.RELEASED && ended.by != window.by);
    }
}
