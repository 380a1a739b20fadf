package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;

/** G8: who was told that a lease is pinned was promised that nobody takes it, and that its document stays, until the pin is taken away. */
final class PinInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (LeaseLog.Version version : lease.versions()) {
                LeaseRow before = version.before();
                boolean taken = version.begun() != null
                        || version.ended() != null && version.ended().end() == Tenure.End.TAKEN;
                if (before != null
                        && before.sound()
                        && !before.pins().isEmpty()
                        && version.commit().by() != null
                        && (taken || version.row() == null)) {
                    violations.add(
                            Guarantee.G8,
                            version.commit().atNanos(),
                            lease.name(),
                            "nobody was to take " + lease.name() + " while it is pinned by " + before.pins() + ", and "
                                    + version.commit()
                                    + (version.row() == null ? " removed" : " took") + " it at "
                                    + Words.seconds(version.commit().atNanos()));
                }
            }
        }
    }
}
