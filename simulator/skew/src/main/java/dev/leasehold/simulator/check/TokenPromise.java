package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.LeaseRow;
import org.jspecify.annotations.Nullable;

/** G5: the tokens of a lease strictly increase. */
final class TokenPromise {

    private final Findings findings;

    TokenPromise(Findings findings) {
        this.findings = findings;
    }

    void leaseChanged(
            LeaseTimeline lease, Commit commit, @Nullable LeaseRow after, long tokenMaxBefore, @Nullable Tenure begun) {
        if (commit.isByHand() || after == null) {
            return;
        }
        if (begun != null && after.token() <= tokenMaxBefore) {
            findings.violation(
                    Promise.G5,
                    commit.atNanos(),
                    lease.name(),
                    "holders of " + lease.name()
                            + " were promised that tokens after " + tokenMaxBefore + " are greater, and " + commit.who()
                            + " began a tenure of "
                            + after.holder() + " with token " + after.token() + " at "
                            + Words.seconds(commit.atNanos()));
        } else if (after.token() < tokenMaxBefore) {
            findings.violation(
                    Promise.G5,
                    commit.atNanos(),
                    lease.name(),
                    "the token of " + lease.name() + " had been "
                            + tokenMaxBefore + ", and " + commit.who() + " stored " + after.token() + " at "
                            + Words.seconds(commit.atNanos()));
        }
    }
}
