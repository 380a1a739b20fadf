package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/**
 * G3: a lease is taken from its holder only when the clock of the lease's last writer has passed the expiry which that writer stored. For
 * a lease that a session keeps this is the end of the session: its writer's entry is removed by another engine, or the lease is taken
 * while the entry stands, only when the writer's clock has passed that. A vacant lease with an expiry is taken only when the clock of
 * the writer that keeps it free has passed it.
 *
 * <p>G4: what housekeeping removes has been kept for long enough. The entry of a writer without a session stays until its engine's clock has
 * run for an hour since its newest stamp, and a vacant document until the clock of the engine that made it so has run for the retention.
 */
record ExpiryInvariant(Model history, Violations violations) {

    private static final String TAKEN = "%s was guaranteed the lease: %s; %s took it";
    private static final String REMOVED = "%s was kept: %s; %s removed it";
    private static final long SILENCE_NANOS = 3_600_000_000_000L;

    void check() {
        for (LeaseLog.Version version : history.versions) {
            LeaseRow before = version.before();
            if (before != null) {
                checkTaken(version, before);
                checkRemovedDocument(version, before);
            }
        }
        for (WriterLog writer : history.writers.values()) {
            for (WriterLog.Version version : writer.versions) {
                WriterLog.Version entry = version.entryBefore();
                if (version.row() == null && entry != null && version.commit().by != entry.commit().by) {
                    checkRemovedEntry(writer.name, version.commit(), entry);
                }
            }
        }
    }

    private void checkTaken(LeaseLog.Version version, LeaseRow before) {
        LeaseLog lease = version.lease();
        Commit taken = version.commit();
        Tenure ended = version.ended();
        if (ended != null && ended.end == Tenure.End.TAKEN && ended.sessionEnded == null) {
            WriterLog writer = before.expiryNanos() == null ? history.writers.get(before.writer()) : null;
            StoredTime stored =
                    writer == null ? lease.storedExpiry(before) : StoredTime.ofSession(writer.at(taken.atNanos));
            check(G3, TAKEN, ended.held, stored, taken, lease.name);
        } else if (before.sound() && before.holder() == null && version.begun() != null) {
            check(G3, TAKEN, "the former holder", lease.storedExpiry(before), taken, lease.name);
        }
    }

    private void checkRemovedEntry(String writer, Commit removed, WriterLog.Version entry) {
        WriterRow before = entry.row();
        if (before != null && before.sessionNanos() != null) {
            check(G3, TAKEN, "the session of " + writer, StoredTime.ofSession(entry), removed, keptLease(removed));
        } else if (before != null && removed.by != null) {
            StoredTime kept = StoredTime.of(entry.commit(), before.timeNanos(), SILENCE_NANOS);
            check(G4, REMOVED, "the entry of writer " + writer, kept, removed, null);
        }
    }

    /** One of the leases that the session kept whose end a write was; null if it kept none. */
    private @Nullable String keptLease(Commit evicted) {
        return history.tenures.stream()
                .filter(tenure -> tenure.sessionEnded == evicted)
                .map(tenure -> tenure.held.lease())
                .findFirst()
                .orElse(null);
    }

    private void checkRemovedDocument(LeaseLog.Version version, LeaseRow before) {
        Commit written = version.written();
        // A pin leaves it under the name of the engine that wrote it.
        if (version.row() == null
                && before.sound()
                && version.commit().by != null
                && written != null
                && written.by != null
                && written.by.isWriter(before.writer())) {
            long retentionNanos = history.conditions.retentionNanos();
            StoredTime kept = StoredTime.of(written, before.writtenNanos(), retentionNanos);
            check(G4, REMOVED, "the document", kept, version.commit(), version.lease().name);
        }
    }

    private void check(
            Guarantee guarantee,
            String format,
            Object what,
            @Nullable StoredTime stored,
            Commit commit,
            @Nullable String lease) {
        if (stored != null
                && !stored.isOver(commit.atNanos)
                && !stored.isOver(commit.atNanos, history.aheadNanos(stored.by(), commit.atNanos))) {
            violations.addInside(guarantee, commit.atNanos, lease, format, what, stored, commit);
        }
    }
}
