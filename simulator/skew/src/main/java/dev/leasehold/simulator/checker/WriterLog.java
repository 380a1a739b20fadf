package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the entry of a writer in a clock document went through. */
final class WriterLog {

    /**
     * What the entry was from a write on.
     *
     * @param commit the write
     * @param row null for no entry
     * @param entryBefore the entry that this write changed or removed; null if there was none
     */
    record Version(
            Commit commit,
            @Nullable WriterRow row,
            @Nullable Version entryBefore) {

        /** What the entry was before this write; null for no entry. */
        @Nullable WriterRow before() {
            return entryBefore == null ? null : entryBefore.row();
        }

        /** The length of the session that keeps leases from then on; 0 for none. */
        long sessionNanos() {
            return row == null || row.sessionNanos() == null ? 0 : row.sessionNanos();
        }
    }

    final String name;
    final List<Version> versions = new ArrayList<>();

    WriterLog(String name) {
        this.name = name;
    }

    void changed(Commit commit, @Nullable WriterRow row) {
        Version latest = latest();
        versions.add(new Version(commit, row, latest == null || latest.row() == null ? null : latest));
    }

    @Nullable Version latest() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }

    /** The newest one of those that were written by then; null if none was. */
    @Nullable Version at(long atNanos) {
        return Model.newest(versions, version -> version.commit().atNanos <= atNanos);
    }

    /** Whether there was an entry, and none any more, at some instant until then. */
    boolean wasRemovedBy(long atNanos) {
        return versions.stream().anyMatch(version -> version.row() == null && version.commit().atNanos <= atNanos);
    }
}
