package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * G4: a writer's time in the clock document never goes back, nor does the stamp of its newest transaction; the length of a session never
 * changes; an entry that was removed is never made again; a writer is one engine for ever, and a writer and a stamp name one write of a
 * lease. Each write of the document counts, and the token floor never falls.
 */
final class ClockDocumentInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (WriterLog writer : history.writers()) {
            boolean removed = false;
            for (WriterLog.Version version : writer.versions()) {
                if (version.row() == null) {
                    removed = true;
                } else {
                    check(history, writer, version, version.row(), removed, violations);
                }
            }
        }
        for (Commit commit : history.commits()) {
            for (Change change : commit.event().changes()) {
                change.accept(new Change.Visitor() {
                    @Override
                    public void on(Change.OfClock clock) {
                        checkDocument(commit, clock.before(), clock.after(), violations);
                    }
                });
            }
        }
        for (LeaseLog lease : history.leases()) {
            for (LeaseLog.Version version : lease.versions()) {
                checkStamp(lease, version, violations);
            }
        }
    }

    private static void check(
            Model history,
            WriterLog writer,
            WriterLog.Version version,
            WriterRow row,
            boolean removed,
            Violations violations) {
        Commit commit = version.commit();
        WriterLog.Version entry = version.entryBefore();
        WriterRow before = entry == null ? null : entry.row();
        if (before == null) {
            if (removed) {
                violations.addInside(
                        Guarantee.G4,
                        commit.atNanos(),
                        null,
                        words(writer, "was removed for ever", commit, "made anew"));
            }
        } else if (!isAtLeast(row.timeNanos(), before.timeNanos())
                || !isAtLeast(row.transactionNanos(), before.transactionNanos())) {
            violations.add(
                    Guarantee.G4,
                    commit.atNanos(),
                    null,
                    words(writer, "had come to " + before, commit, "set back to " + row));
        } else if (before.sessionNanos() != null && !before.sessionNanos().equals(row.sessionNanos())) {
            violations.add(
                    Guarantee.G4,
                    commit.atNanos(),
                    null,
                    words(writer, "had a session as in " + before, commit, "changed to " + row));
        } else if (commit.by() != null
                && entry != null
                && commit.by() != entry.commit().by()) {
            violations.addInside(
                    Guarantee.G4,
                    commit.atNanos(),
                    null,
                    words(writer, "was the engine " + entry.commit(), commit, "written"));
        }
    }

    private static boolean isAtLeast(@Nullable Long nanos, @Nullable Long beforeNanos) {
        return beforeNanos == null || nanos != null && nanos >= beforeNanos;
    }

    private static String words(WriterLog writer, String was, Commit commit, String done) {
        return "writer " + writer.name() + " " + was + ", and its entry was " + done + " by " + commit + " at "
                + Words.seconds(commit.atNanos());
    }

    private static void checkDocument(Commit commit, ClockRow before, ClockRow after, Violations violations) {
        boolean isFirst = before.ticks() == 0 && before.writers().isEmpty();
        if (!isFirst && after.ticks() <= before.ticks() || after.tokenFloor() < before.tokenFloor()) {
            violations.add(
                    Guarantee.G4,
                    commit.atNanos(),
                    null,
                    "the clock document had counted " + before.ticks() + " writes and tokens up to "
                            + before.tokenFloor() + ", and " + commit + " left it at " + after.ticks() + " and "
                            + after.tokenFloor() + " at " + Words.seconds(commit.atNanos()));
        }
    }

    private static void checkStamp(LeaseLog lease, LeaseLog.Version version, Violations violations) {
        LeaseRow before = version.before();
        LeaseRow after = version.row();
        if (version.commit().by() == null
                || before == null
                || after == null
                || !before.sound()
                || !after.writer().equals(before.writer())) {
            return;
        }
        boolean isOther = before.token() != after.token()
                || !Objects.equals(before.holder(), after.holder())
                || !Objects.equals(before.expiryNanos(), after.expiryNanos());
        if (after.writtenNanos() < before.writtenNanos() || isOther && after.writtenNanos() == before.writtenNanos()) {
            violations.addInside(
                    Guarantee.G4,
                    version.commit().atNanos(),
                    lease.name(),
                    "writer " + after.writer() + " had written " + lease.name() + " under the stamp "
                            + Words.seconds(before.writtenNanos()) + ", and " + version.commit() + " wrote it under "
                            + Words.seconds(after.writtenNanos()) + " at "
                            + Words.seconds(version.commit().atNanos()));
        }
    }
}
