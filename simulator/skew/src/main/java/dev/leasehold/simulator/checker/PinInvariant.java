package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Change.LeaseRow;

/** G8: while a lease is pinned, no write begins a tenure of it, or ends one without its holder's request, and its document stays. */
record PinInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (LeaseLog.Version version : history.versions) {
            LeaseRow before = version.before();
            Tenure ended = version.ended();
            boolean taken = version.begun() != null || ended != null && ended.end == Tenure.End.TAKEN;
            if (before != null
                    && before.sound()
                    && !before.pins().isEmpty()
                    && version.commit().by != null
                    && (taken || version.row() == null)) {
                violations.add(
                        G8, version, "the lease was pinned by %s, and %s took it", before.pins(), version.commit());
            }
        }
    }
}
