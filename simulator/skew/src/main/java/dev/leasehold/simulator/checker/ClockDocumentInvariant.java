package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G4;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/**
 * G4: a writer's time in the clock document never goes back, nor does the stamp of its newest transaction; the length of a session never
 * changes; an entry that was removed is never made again; a writer is one engine for ever. Each write of the document counts, and the token
 * floor never falls.
 */
record ClockDocumentInvariant(Model history, Violations violations) {

    void check() {
        for (WriterLog writer : history.writers.values()) {
            boolean removed = false;
            for (WriterLog.Version version : writer.versions) {
                checkEntry(writer, version, removed);
                removed |= version.row() == null;
            }
        }
        for (Commit commit : history.commits) {
            for (Change change : commit.event.changes()) {
                if (change instanceof Change.OfClock clock) {
                    checkDocument(commit, clock.before(), clock.after());
                }
            }
        }
    }

    private void checkEntry(WriterLog writer, WriterLog.Version version, boolean removed) {
        Commit commit = version.commit();
        WriterLog.Version entry = version.entryBefore();
        WriterRow before = version.before();
        WriterRow row = version.row();
        if (row == null) {
            return;
        }
        boolean isAnothers = entry != null && commit.by != null && commit.by != entry.commit().by;
        String format = "the entry of writer %s was %s, and %s made it %s";
        if (before != null && !mayFollow(row, before)) {
            violations.add(G4, commit.atNanos, null, format, writer.name, before, commit, row);
        } else if (before == null ? removed : isAnothers) {
            String was = entry == null ? "removed for ever" : "that of " + entry.commit();
            violations.addInside(G4, commit.atNanos, null, format, writer.name, was, commit, row);
        }
    }

    private static boolean mayFollow(WriterRow row, WriterRow before) {
        return row.timeNanos() >= before.timeNanos()
                && isAtLeast(row.transactionNanos(), before.transactionNanos())
                && (before.sessionNanos() == null || before.sessionNanos().equals(row.sessionNanos()));
    }

    private static boolean isAtLeast(@Nullable Long nanos, @Nullable Long beforeNanos) {
        return beforeNanos == null || nanos != null && nanos >= beforeNanos;
    }

    private void checkDocument(Commit commit, ClockRow before, ClockRow after) {
        boolean isFirst = before.ticks() == 0 && before.writers().isEmpty();
        if (!isFirst && after.ticks() <= before.ticks() || after.tokenFloor() < before.tokenFloor()) {
            violations.add(
                    G4,
                    commit.atNanos,
                    null,
                    "the clock document had ticks and token floor %s, and %s left it with %s",
                    before.ticks() + " and " + before.tokenFloor(),
                    commit,
                    after.ticks() + " and " + after.tokenFloor());
        }
    }
}
