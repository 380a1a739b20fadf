package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;

/** G5: the tokens of one lease strictly increase, across release, expiry, removal and re-creation. An equal token is the same tenure. */
final class TokenInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (LeaseLog.Version version : lease.versions()) {
                LeaseRow row = version.row();
                if (row != null && row.sound() && !version.commit().isByHand()) {
                    check(lease, version, row, violations);
                }
            }
        }
    }

    private static void check(LeaseLog lease, LeaseLog.Version version, LeaseRow row, Violations violations) {
        boolean isTooSmall = version.begun() == null
                ? row.token() < version.tokenMaxBefore()
                : row.token() <= version.tokenMaxBefore();
        if (isTooSmall) {
            long atNanos = version.commit().atNanos();
            violations.add(
                    Guarantee.G5,
                    atNanos,
                    lease.name(),
                    "tokens of " + lease.name() + " had come to " + version.tokenMaxBefore() + ", and "
                            + version.commit()
                            + (version.begun() == null ? " stored " : " began a tenure of " + row.holder() + " with ")
                            + row.token() + " at " + Words.seconds(atNanos));
        }
    }
}
