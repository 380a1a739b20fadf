package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G4;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/**
 * G4: what housekeeping removes has been kept for long enough. The entry of a writer without a session stays until its engine's clock has run
 * for an hour since its newest stamp, and a vacant document until the clock of the engine that made it so has run for the retention.
 */
record RemovalInvariant(Model history, Violations violations) implements Invariant {

    private static final long SILENCE_NANOS = 3_600_000_000_000L;

    @Override
    public void check() {
        for (WriterLog writer : history.writers()) {
            for (WriterLog.Version version : writer.versions) {
                WriterLog.Version entry = version.entryBefore();
                WriterRow before = version.before();
                if (version.row() == null
                        && entry != null
                        && before != null
                        && before.sessionNanos() == null
                        && version.commit().by != null
                        && version.commit().by != entry.commit().by) {
                    StoredTime kept = StoredTime.of(entry.commit(), before.timeNanos(), SILENCE_NANOS);
                    check("the entry of writer " + writer.name, kept, null, version.commit());
                }
            }
        }
        for (LeaseLog.Version version : history.versions) {
            LeaseRow before = version.before();
            Commit written = version.written();
            // Who pins a lease leaves it under the name of the engine that wrote it.
            if (version.row() == null
                    && before != null
                    && before.sound()
                    && version.commit().by != null
                    && written != null
                    && written.by != null
                    && written.by.isWriter(before.writer())) {
                long retentionNanos = history.conditions.retentionNanos();
                StoredTime kept = StoredTime.of(written, before.writtenNanos(), retentionNanos);
                check("the document", kept, version.lease().name, version.commit());
            }
        }
    }

    private void check(String what, @Nullable StoredTime kept, @Nullable String lease, Commit removed) {
        if (kept != null && !kept.isOver(removed.atNanos)) {
            violations.addInside(G4, removed.atNanos, lease, "%s was kept: %s; %s removed it", what, kept, removed);
        }
    }
}
