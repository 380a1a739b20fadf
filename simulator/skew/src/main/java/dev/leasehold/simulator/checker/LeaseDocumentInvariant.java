package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Change.LeaseRow;
import java.util.Objects;

/**
 * What a write may make of a lease document. G5: the tokens of one lease strictly increase, across release, expiry, removal and re-creation.
 * An equal token is the same tenure. G4: a writer, a stamp and a token name one state of a lease, and the stamps of a writer rise, but for a
 * lease that is granted to one of its tickets. G8: while a lease is pinned, no write begins a
 * tenure of it, or ends one without its holder's request, and its document stays.
 */
record LeaseDocumentInvariant(Model history, Violations violations) {

    void check() {
        history.leases.values().forEach(this::checkTokens);
        history.versions.forEach(this::checkStamp);
        history.versions.forEach(this::checkPins);
    }

    private void checkTokens(LeaseLog lease) {
        long greatest = 0;
        for (LeaseLog.Version version : lease.versions) {
            LeaseRow row = version.row();
            boolean isByHand = version.commit().isByHand();
            if (row != null && row.sound() && !isByHand) {
                checkToken(version, row, version.begun() == null ? greatest : greatest + 1);
            }
            if (row == null && isByHand) {
                greatest = 0;
            } else if (row != null && row.sound()) {
                greatest = Math.max(greatest, row.token());
            }
        }
    }

    private void checkToken(LeaseLog.Version version, LeaseRow row, long leastToken) {
        if (row.token() < leastToken) {
            String tokens = row.token() + ", where it was to be " + leastToken + " or more";
            violations.add(G5, version, "%s stored the token %s,", version.commit(), tokens);
        }
    }

    private void checkStamp(LeaseLog.Version version) {
        LeaseRow before = version.before();
        LeaseRow after = version.row();
        if (version.commit().by == null
                || before == null
                || after == null
                || !before.sound()
                || !after.writer().equals(before.writer())
                // It has the stamp of the ticket, and a token that no state before had.
                || version.grantedTo() != null) {
            return;
        }
        boolean isOther = before.token() != after.token()
                || !Objects.equals(before.holder(), after.holder())
                || !Objects.equals(before.expiryNanos(), after.expiryNanos());
        if (after.writtenNanos() < before.writtenNanos() || isOther && after.writtenNanos() == before.writtenNanos()) {
            String what = "writer %s had written the lease under the stamp %s, and writes it under %s";
            violations.addInside(G4, version, what, after.writer(), before.writtenNanos(), after.writtenNanos());
        }
    }

    private void checkPins(LeaseLog.Version version) {
        LeaseRow before = version.before();
        Tenure ended = version.ended();
        boolean taken = version.begun() != null || ended != null && ended.end == Tenure.End.TAKEN;
        if (before != null
                && before.sound()
                && !before.pins().isEmpty()
                && version.commit().by != null
                && (taken || version.row() == null)) {
            violations.add(G8, version, "the lease was pinned by %s, and %s took it", before.pins(), version.commit());
        }
    }
}
