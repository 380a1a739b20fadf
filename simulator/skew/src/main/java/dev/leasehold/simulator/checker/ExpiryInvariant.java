package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/**
 * G3: a lease is taken from its holder only when the clock of the lease's last writer has passed the expiry which that writer stored. For
 * a lease that a session keeps this is the end of the session: its writer's entry is removed by another engine, or the lease is taken
 * while the entry stands, only when the writer's clock has passed that. A vacant lease with an expiry is taken only when the clock of
 * the writer that keeps it free has passed it.
 */
final class ExpiryInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (LeaseLog.Version version : lease.versions()) {
                checkTaking(history, version, violations);
                checkKeptFree(history, lease, version, violations);
            }
        }
        for (WriterLog writer : history.writers()) {
            for (WriterLog.Version version : writer.versions()) {
                checkEviction(history, writer, version, violations);
            }
        }
    }

    private static void checkTaking(Model history, LeaseLog.Version version, Violations violations) {
        Tenure ended = version.ended();
        LeaseRow before = version.before();
        if (ended == null || before == null || ended.end() != Tenure.End.TAKEN || ended.sessionEnded() != null) {
            return;
        }
        String who = Words.holder(ended.held());
        Tenure.Write last = ended.lastWrite();
        if (before.expiryNanos() != null && last != null) {
            check(
                    last.by(),
                    last.commit(),
                    before.writtenNanos(),
                    before.expiryNanos(),
                    version.commit(),
                    who,
                    "took the lease",
                    ended.held().lease(),
                    violations);
        } else if (before.expiryNanos() == null) {
            WriterLog writer = history.writer(before.writer());
            WriterLog.Version entry =
                    writer == null ? null : writer.at(version.commit().atNanos());
            if (entry != null) {
                checkSession(
                        entry,
                        version.commit(),
                        who,
                        "took the lease",
                        ended.held().lease(),
                        violations);
            }
        }
    }

    private static void checkEviction(
            Model history, WriterLog writer, WriterLog.Version version, Violations violations) {
        WriterLog.Version entry = version.entryBefore();
        if (version.row() == null
                && entry != null
                && version.commit().by() != entry.commit().by()) {
            checkSession(
                    entry,
                    version.commit(),
                    "the session of " + writer.name(),
                    "ended that session",
                    keptLease(history, version.commit()),
                    violations);
        }
    }

    /** One of the leases that the session kept whose end a write was; null if it kept none. */
    private static @Nullable String keptLease(Model history, Commit evicted) {
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                if (tenure.sessionEnded() == evicted) {
                    return lease.name();
                }
            }
        }
        return null;
    }

    private static void checkSession(
            WriterLog.Version entry,
            Commit commit,
            String who,
            String what,
            @Nullable String lease,
            Violations violations) {
        WriterRow row = entry.row();
        Incarnation by = entry.commit().by();
        if (row != null && row.sessionNanos() != null && by != null) {
            check(
                    by,
                    entry.commit(),
                    row.timeNanos(),
                    row.timeNanos() + row.sessionNanos(),
                    commit,
                    who,
                    what,
                    lease,
                    violations);
        }
    }

    private static void checkKeptFree(Model history, LeaseLog lease, LeaseLog.Version version, Violations violations) {
        LeaseRow before = version.before();
        if (version.begun() == null
                || before == null
                || !before.sound()
                || before.holder() != null
                || before.expiryNanos() == null) {
            return;
        }
        Commit released = released(lease, before);
        if (released != null && released.by() != null) {
            check(
                    released.by(),
                    released,
                    before.writtenNanos(),
                    before.expiryNanos(),
                    version.commit(),
                    "nobody",
                    "took the lease",
                    lease.name(),
                    violations);
        }
    }

    private static @Nullable Commit released(LeaseLog lease, LeaseRow vacant) {
        for (LeaseLog.Version version : lease.versions()) {
            LeaseRow row = version.row();
            if (row != null
                    && row.writtenNanos() == vacant.writtenNanos()
                    && row.writer().equals(vacant.writer())) {
                return version.commit();
            }
        }
        return null;
    }

    private static void check(
            Incarnation writer,
            Commit written,
            long stampNanos,
            long expiryNanos,
            Commit taken,
            String who,
            String what,
            @Nullable String lease,
            Violations violations) {
        if (!writer.hasPassed(taken.atNanos(), stampNanos, written.atNanos(), expiryNanos - stampNanos)) {
            violations.addInside(
                    Guarantee.G3,
                    taken.atNanos(),
                    lease,
                    who + " was promised the lease by " + writer + " at " + Words.seconds(written.atNanos()) + " until "
                            + Words.seconds(writer.whenItShowsNanos(expiryNanos)) + ", when its clock shows "
                            + Words.seconds(expiryNanos) + ", and " + taken + " " + what + " at "
                            + Words.seconds(taken.atNanos()) + ", when " + writer + "'s clock had run "
                            + Words.seconds(writer.sinceStampNanos(taken.atNanos(), stampNanos, written.atNanos()))
                            + " since the stamp of that write");
        }
    }
}
