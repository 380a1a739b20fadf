package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G5;

import dev.leasehold.simulator.history.Change.LeaseRow;

/** G5: the tokens of one lease strictly increase, across release, expiry, removal and re-creation. An equal token is the same tenure. */
record TokenInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (LeaseLog lease : history.leases()) {
            long greatest = 0;
            for (LeaseLog.Version version : lease.versions) {
                LeaseRow row = version.row();
                boolean isByHand = version.commit().isByHand();
                if (row != null && row.sound() && !isByHand) {
                    check(version, row, version.begun() == null ? greatest : greatest + 1);
                }
                if (row == null && isByHand) {
                    greatest = 0;
                } else if (row != null && row.sound()) {
                    greatest = Math.max(greatest, row.token());
                }
            }
        }
    }

    private void check(LeaseLog.Version version, LeaseRow row, long leastToken) {
        if (row.token() < leastToken) {
            String tokens = row.token() + ", where it was to be " + leastToken + " or more";
            violations.add(G5, version, "%s stored the token %s,", version.commit(), tokens);
        }
    }
}
