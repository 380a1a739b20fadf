package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the entry of a writer in the clock document went through, without what was rolled back. */
final class WriterTimeline {

    /**
     * What the entry was from a write on.
     *
     * @param commit the write
     * @param row null for no entry
     */
    record Version(Commit commit, @Nullable WriterRow row) {}

    private final String name;
    private final List<Version> versions = new ArrayList<>();

    WriterTimeline(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    List<Version> versions() {
        return versions;
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

    /** Whether there is an entry at present. */
    boolean isPresent() {
        Version latest = latest();
        return latest != null && latest.row() != null;
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

    void forgetRolledBack() {
        while (!versions.isEmpty() && versions.get(versions.size() - 1).commit().isRolledBack()) {
            versions.remove(versions.size() - 1);
        }
    }
}
