package dev.leasehold.simulator.checker;

import java.util.List;

/**
 * T2: no two tenures of a lease are held at the same true instant, each by its own engine's clock. The exception is what the specification
 * says of an operator's order, of a holder that supersedes itself, and of a release through another engine: their holder is told
 * only afterwards.
 */
final class MutualExclusionInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            List<ValidityWindow> windows = lease.windows();
            for (int i = 1; i < windows.size(); i++) {
                for (int j = 0; j < i; j++) {
                    check(lease, windows.get(j), windows.get(i), violations);
                }
            }
        }
    }

    private static void check(LeaseLog lease, ValidityWindow one, ValidityWindow other, Violations violations) {
        if (one.untilNanos() - one.by().unseenNanos() > other.fromNanos()
                && other.untilNanos() > other.fromNanos()
                && !one.tenure().equals(other.tenure())
                && !isToldAfterwards(lease, one, other.fromNanos())
                && !isToldAfterwards(lease, other, other.fromNanos())) {
            violations.addInside(
                    Guarantee.T2,
                    other.fromNanos(),
                    lease.name(),
                    Words.holder(one.tenure()) + " held the lease on " + one.by() + " from "
                            + Words.seconds(one.fromNanos()) + " to " + Words.seconds(one.untilNanos()) + ", and "
                            + Words.holder(other.tenure()) + " held it on " + other.by() + " from "
                            + Words.seconds(other.fromNanos()) + " on");
        }
    }

    private static boolean isToldAfterwards(LeaseLog lease, ValidityWindow window, long atNanos) {
        Tenure tenure = lease.tenure(window.tenure());
        Commit ended = tenure == null ? null : tenure.ended();
        if (tenure == null || ended == null || ended.atNanos() > atNanos) {
            return false;
        }
        return switch (tenure.end() == null ? Tenure.End.TAKEN : tenure.end()) {
            case ORDERED, DAMAGED -> true;
            case RELEASED -> ended.by() != window.by();
            case TAKEN -> false;
        };
    }
}
