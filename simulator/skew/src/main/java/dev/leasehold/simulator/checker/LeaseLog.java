package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a lease document went through, who asked for it, and who took it to be held. */
final class LeaseLog {

    /**
     * What the document was from a write on.
     *
     * @param commit the write
     * @param before what it was before; null for no document
     * @param row what it was then; null for no document
     * @param heldBefore the tenure that it showed before; null for none
     * @param held the tenure that it shows then; null for none
     * @param tokenMaxBefore the greatest token that the lease had had
     */
    record Version(
            Commit commit,
            @Nullable LeaseRow before,
            @Nullable LeaseRow row,
            @Nullable Tenure heldBefore,
            @Nullable Tenure held,
            long tokenMaxBefore) {

        /** The tenure that this write began; null for none. */
        @Nullable Tenure begun() {
            return held == heldBefore ? null : held;
        }

        /** The tenure that this write ended; null for none. */
        @Nullable Tenure ended() {
            return held == heldBefore ? null : heldBefore;
        }

        /** Whether it was damaged before or is so now. */
        boolean isDamaged() {
            return before != null && !before.sound() || row != null && !row.sound();
        }
    }

    private final String name;
    private final List<Version> versions = new ArrayList<>();
    private final List<Tenure> tenures = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<ValidityWindow> windows = new ArrayList<>();
    private boolean damaged;
    private long unsettledNanos = Long.MIN_VALUE;

    LeaseLog(String name) {
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

    /** In the order in which they began. */
    List<Tenure> tenures() {
        return tenures;
    }

    @Nullable Tenure tenure(@Nullable HeldTenure held) {
        for (int i = tenures.size() - 1; i >= 0; i--) {
            if (tenures.get(i).held().equals(held)) {
                return tenures.get(i);
            }
        }
        return null;
    }

    /** The calls about it, in the order in which they began. */
    List<Call> calls() {
        return calls;
    }

    /** In the order in which they began. */
    List<ValidityWindow> windows() {
        return windows;
    }

    /** Whether anybody has ever damaged the document by hand. */
    boolean isDamaged() {
        return damaged;
    }

    void damaged(long atNanos) {
        damaged = true;
        unsettled(atNanos);
    }

    /** Writes of it were taken back, or it was damaged: what was read meanwhile may have looked like anything. */
    void unsettled(long atNanos) {
        unsettledNanos = Math.max(unsettledNanos, atNanos);
    }

    /** Until when it was unsettled; MIN_VALUE for never, and NEVER while it is damaged. */
    long unsettledNanos() {
        return isDamagedYet() ? Incarnation.NEVER : unsettledNanos;
    }

    boolean isDamagedYet() {
        Version latest = latest();
        return latest != null && latest.row() != null && !latest.row().sound();
    }
}
