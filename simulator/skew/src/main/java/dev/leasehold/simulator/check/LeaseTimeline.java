package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a lease document went through, without what was rolled back. */
final class LeaseTimeline {

    /**
     * What the document was from a write on.
     *
     * @param commit the write
     * @param row null for no document
     * @param tenure who held it; null for nobody
     * @param tokenMax the greatest token that the lease ever had
     */
    record Version(
            Commit commit, @Nullable LeaseRow row, @Nullable Tenure tenure, long tokenMax) {}

    private final String name;
    private final List<Version> versions = new ArrayList<>();
    private final List<Tenure> tenures = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Belief> beliefs = new ArrayList<>();
    private boolean damaged;
    private long troubledNanos = Long.MIN_VALUE;

    LeaseTimeline(String name) {
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

    /** Whether a write left the document to nobody. */
    boolean isVacatedBy(Commit commit) {
        for (int i = versions.size() - 1; i >= 0; i--) {
            LeaseRow row = versions.get(i).row();
            if (versions.get(i).commit() == commit) {
                return row != null && row.sound() && row.holder() == null;
            }
        }
        return false;
    }

    /** All that ever began, also what was rolled back. */
    List<Tenure> tenures() {
        return tenures;
    }

    /** The tenure that began so, rather the newest, and rather one that was not rolled back; null if none did. */
    @Nullable Tenure tenure(HeldTenure held) {
        Tenure undone = null;
        for (int i = tenures.size() - 1; i >= 0; i--) {
            if (tenures.get(i).isOf(held)) {
                if (!tenures.get(i).begun().isRolledBack()) {
                    return tenures.get(i);
                }
                undone = undone == null ? tenures.get(i) : undone;
            }
        }
        return undone;
    }

    /** The calls about it. */
    List<Call> calls() {
        return calls;
    }

    /** The spans during which somebody believed that it is held, in the order of their beginnings. */
    List<Belief> beliefs() {
        return beliefs;
    }

    /** Whether anybody has damaged the document by hand. */
    boolean isDamaged() {
        return damaged;
    }

    void damaged(long atNanos) {
        damaged = true;
        troubledNanos = Math.max(troubledNanos, atNanos);
    }

    /**
     * Until when the document was damaged, or when writes of it were taken back; MIN_VALUE for never, and MAX_VALUE where whoever is to repair
     * it is still waiting behind a transaction.
     */
    long troubledNanos() {
        Version latest = latest();
        boolean isDamagedYet =
                latest != null && latest.row() != null && !latest.row().sound();
        return isDamagedYet ? Long.MAX_VALUE : troubledNanos;
    }

    void forgetRolledBack(long atNanos) {
        while (!versions.isEmpty() && versions.get(versions.size() - 1).commit().isRolledBack()) {
            troubledNanos = atNanos;
            versions.remove(versions.size() - 1);
        }
        for (int i = 0; i < tenures.size(); i++) {
            tenures.get(i).forgetRolledBackWrites();
        }
    }
}
