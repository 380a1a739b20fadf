package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G5;

import dev.leasehold.simulator.history.Change.LeaseRow;

/** G5: the tokens of one lease strictly increase, across release, expiry, removal and re-creation. An equal token is the same tenure. */
record TokenInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (LeaseLog.Version version : history.versions) {
            LeaseRow row = version.row();
            if (row != null && row.sound() && !version.commit().isByHand()) {
                check(version, row);
            }
        }
    }

    private void check(LeaseLog.Version version, LeaseRow row) {
        long leastToken = version.tokenMaxBefore() + (version.begun() == null ? 0 : 1);
        if (row.token() < leastToken) {
            String tokens = row.token() + ", where it was to be " + leastToken + " or more";
            violations.add(G5, version, "%s stored the token %s,", version.commit(), tokens);
        }
    }
}
