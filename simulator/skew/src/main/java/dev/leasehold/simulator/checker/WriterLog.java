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
     * @param before the version before; null for the first
     */
    record Version(
            Commit commit,
            @Nullable WriterRow row,
            @Nullable Version before) {

        /** The entry that this write changed or removed; null if there was none. */
        @Nullable Version entryBefore() {
            return before == null || before.row() == null ? null : before;
        }
    }

    private final String name;
    private final List<Version> versions = new ArrayList<>();

    WriterLog(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    List<Version> versions() {
        return versions;
    }

    void changed(Commit commit, @Nullable WriterRow row) {
        versions.add(new Version(commit, row, latest()));
    }

    @Nullable Version latest() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }

    /** The newest one of those that were written by then; null if none was. */
    @Nullable Version at(long atNanos) {
        for (int i = versions.size() - 1; i >= 0; i--) {
            if (versions.get(i).commit().atNanos() <= atNanos) {
                return versions.get(i);
            }
        }
        return null;
    }

    /** Whether there was an entry, and none any more, at some instant until then. */
    boolean wasRemovedBy(long atNanos) {
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i).row() == null && versions.get(i).commit().atNanos() <= atNanos) {
                return true;
            }
        }
        return false;
    }
}
