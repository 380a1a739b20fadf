package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.LIM;

import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import java.util.Objects;

/** LIM: where nothing is in the way a heartbeat comes no sooner than a heartbeat period after the one before. */
record EffortInvariant(Model history, Violations violations) implements Invariant {

    /** Stamps may be a little ahead of the clock. */
    private static final long STAMPS_NANOS = 1_000;

    @Override
    public void check() {
        if (history.isInside()) {
            history.writers().forEach(this::checkHeartbeats);
        }
    }

    private void checkHeartbeats(WriterLog writer) {
        WriterLog.Version last = null;
        for (WriterLog.Version version : writer.versions) {
            WriterRow row = version.row();
            if (row != null && isHeartbeat(version, row)) {
                if (last != null && last.row() != null) {
                    checkHeartbeat(writer, last, row.timeNanos() - last.row().timeNanos(), version.commit());
                }
                last = version;
            }
        }
    }

    /** A write of the time, and of nothing else, into an entry that has a session. */
    private static boolean isHeartbeat(WriterLog.Version version, WriterRow row) {
        WriterRow before = version.before();
        WriterLog.Version entry = version.entryBefore();
        return before != null
                && entry != null
                && before.sessionNanos() != null
                && version.commit().author.kind() == Event.Author.Kind.SINGLE_WRITE
                && entry.commit().by == version.commit().by
                && row.timeNanos() > before.timeNanos()
                && Objects.equals(row.transactionNanos(), before.transactionNanos());
    }

    private void checkHeartbeat(WriterLog writer, WriterLog.Version first, long apartNanos, Commit second) {
        Incarnation by = second.by;
        WriterRow row = first.row();
        if (by == null || row == null) {
            return;
        }
        long dueNanos = history.conditions.heartbeatNanos().get(by.machine);
        if (apartNanos < dueNanos - STAMPS_NANOS
                && first.commit().isSureAt(second.atNanos)
                && !isTroubled(by, row.timeNanos(), second)) {
            violations.add(
                    LIM,
                    second.atNanos,
                    null,
                    "a heartbeat of %s follows its last by %s, where nothing was in the way, and is due by %s,",
                    writer.name,
                    apartNanos,
                    dueNanos);
        }
    }

    /** From when the stamp of the first of two writes was taken, which may arrive much later, until the second was written. */
    private boolean isTroubled(Incarnation by, long stampNanos, Commit second) {
        return history.machines.isTroubled(by.machine, by.whenItShowsNanos(stampNanos) - STAMPS_NANOS, second.atNanos);
    }
}
