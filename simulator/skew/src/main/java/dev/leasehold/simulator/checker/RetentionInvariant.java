package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import org.jspecify.annotations.Nullable;

/**
 * G4: what is removed has been kept for long enough. The entry of a writer without a session stays until its engine's clock has run for an
 * hour since its newest stamp, and a vacant document until the clock of the engine that made it so has run for the retention.
 */
final class RetentionInvariant implements Invariant {

    private static final long SILENCE_NANOS = 3_600_000_000_000L;

    @Override
    public void check(Model history, Violations violations) {
        for (WriterLog writer : history.writers()) {
            for (WriterLog.Version version : writer.versions()) {
                checkEntry(writer, version, violations);
            }
        }
        for (LeaseLog lease : history.leases()) {
            LeaseLog.Version before = null;
            for (LeaseLog.Version version : lease.versions()) {
                if (before != null) {
                    checkDocument(history, lease, before, version, violations);
                }
                before = version;
            }
        }
    }

    private static void checkEntry(WriterLog writer, WriterLog.Version version, Violations violations) {
        WriterLog.Version entry = version.entryBefore();
        Incarnation by = entry == null ? null : entry.commit().by();
        if (version.row() == null
                && entry != null
                && entry.row() != null
                && entry.row().sessionNanos() == null
                && by != null
                && version.commit().by() != null
                && version.commit().by() != by) {
            check(
                    by,
                    entry.row().timeNanos(),
                    entry.commit(),
                    SILENCE_NANOS,
                    "the entry of writer " + writer.name(),
                    null,
                    version.commit(),
                    violations);
        }
    }

    private static void checkDocument(
            Model history, LeaseLog lease, LeaseLog.Version written, LeaseLog.Version version, Violations violations) {
        LeaseRow before = version.before();
        Incarnation by = written.commit().by();
        // Who pins a lease leaves it under the name of the engine that wrote it.
        if (version.row() == null
                && before != null
                && before.sound()
                && version.commit().by() != null
                && by != null
                && by.isWriter(before.writer())) {
            check(
                    by,
                    before.writtenNanos(),
                    written.commit(),
                    history.conditions().retentionNanos(),
                    "the document",
                    lease.name(),
                    version.commit(),
                    violations);
        }
    }

    private static void check(
            Incarnation by,
            long stampNanos,
            Commit written,
            long keptNanos,
            String what,
            @Nullable String lease,
            Commit removed,
            Violations violations) {
        if (!by.hasPassed(removed.atNanos(), stampNanos, written.atNanos(), keptNanos)) {
            violations.addInside(
                    Guarantee.G4,
                    removed.atNanos(),
                    lease,
                    what + ", which " + by + " wrote at " + Words.seconds(written.atNanos()) + ", was to be kept for "
                            + Words.seconds(keptNanos) + ", and " + removed + " removed it at "
                            + Words.seconds(removed.atNanos()) + ", when " + by + "'s clock had run "
                            + Words.seconds(by.sinceStampNanos(removed.atNanos(), stampNanos, written.atNanos()))
                            + " since the stamp of that write");
        }
    }
}
