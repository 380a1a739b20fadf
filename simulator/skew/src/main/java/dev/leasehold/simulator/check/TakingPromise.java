package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Change.LeaseRow;
import org.jspecify.annotations.Nullable;

/** G3: nobody takes a lease before the clock of its last writer has passed the expiry, or the end of the session, that it wrote. */
final class TakingPromise {

    private final Findings findings;

    TakingPromise(Findings findings) {
        this.findings = findings;
    }

    /**
     * A write ended a tenure that nobody had given up.
     *
     * @param entry of the writer of the lease; null if it has none
     */
    void taken(Tenure tenure, @Nullable LeaseRow before, WriterTimeline.@Nullable Version entry, Commit commit) {
        Write last = tenure.lastWrite();
        if (last == null || before == null) {
            return;
        }
        if (before.expiryNanos() != null) {
            judge(
                    tenure,
                    last.life(),
                    last.writtenNanos(),
                    last.commit(),
                    before.expiryNanos(),
                    "took the lease",
                    commit);
        } else if (entry != null && tenure.sessionEnded() == null) {
            judgeSession(tenure, entry, "took the lease", commit);
        }
    }

    /** A write removed the entry of a writer, and with it the session that kept a tenure. */
    void sessionEnded(Tenure tenure, WriterTimeline.Version entry, Commit commit) {
        if (commit.life() != entry.commit().life()) {
            judgeSession(tenure, entry, "ended that session", commit);
        }
    }

    private void judgeSession(Tenure tenure, WriterTimeline.Version entry, String what, Commit commit) {
        Life life = entry.commit().life();
        if (life == null || entry.row() == null || entry.row().sessionNanos() == null) {
            return;
        }
        long endNanos = entry.row().timeNanos() + entry.row().sessionNanos();
        judge(tenure, life, entry.row().timeNanos(), entry.commit(), endNanos, what, commit);
    }

    private void judge(
            Tenure tenure, Life life, long stampNanos, Commit written, long endNanos, String what, Commit commit) {
        long passedNanos = life.passedNanos(commit.atNanos(), stampNanos, written.atNanos());
        if (life.isNotPast(commit.atNanos(), passedNanos, endNanos - stampNanos)) {
            findings.violationInside(
                    Promise.G3,
                    commit.atNanos(),
                    tenure.held().lease(),
                    Words.holder(tenure.held())
                            + " was promised the lease by " + life + " at " + Words.seconds(written.atNanos())
                            + " until "
                            + Words.seconds(life.whenItShowsNanos(endNanos)) + ", when its clock shows "
                            + Words.seconds(endNanos)
                            + ", and " + commit.who() + " " + what + " at " + Words.seconds(commit.atNanos())
                            + ", when " + life + "'s clock had run " + Words.seconds(passedNanos)
                            + " since the stamp of that write");
        }
    }
}
