package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * LIM: nothing is written without need, and nothing grows without bound. Where nothing is in the way a heartbeat comes no sooner than a
 * heartbeat period after the one before, and a session does not write again what it keeps. An engine ends the transaction of another one
 * only after it rested for a second, unless the session of that one is over. The clock document has no more entries than the engines that
 * ever were can have made.
 */
final class EffortInvariant implements Invariant {

    /** Stamps may be a little ahead of the clock. */
    private static final long STAMPS_NANOS = 1_000;

    /** Every registration whose outcome is unknown takes a new name, and the old entry stays until it is removed. */
    private static final int ENTRIES_PER_ENGINE_MAX = 32;

    private static final long RESTS_NANOS_MIN = 1_000_000_000;

    @Override
    public void check(Model history, Violations violations) {
        checkEntries(history, violations);
        if (!history.conditions().inside()) {
            return;
        }
        Event.Visitor rescues = rescues(history, violations);
        for (Event event : history.told()) {
            event.accept(rescues);
        }
        if (history.rollbacks() == 0) {
            for (WriterLog writer : history.writers()) {
                checkHeartbeats(history, writer, violations);
            }
            for (LeaseLog lease : history.leases()) {
                for (Tenure tenure : lease.tenures()) {
                    checkWrites(history, tenure, violations);
                }
            }
        }
    }

    // ---- heartbeats ----

    private static void checkHeartbeats(Model history, WriterLog writer, Violations violations) {
        WriterLog.Version last = null;
        for (WriterLog.Version version : writer.versions()) {
            if (isHeartbeat(version)) {
                if (last != null) {
                    checkHeartbeat(history, writer, last, version, violations);
                }
                last = version;
            }
        }
    }

    /** A write of the time, and of nothing else, into an entry that has a session. */
    private static boolean isHeartbeat(WriterLog.Version version) {
        WriterLog.Version entry = version.entryBefore();
        WriterRow before = entry == null ? null : entry.row();
        WriterRow row = version.row();
        return before != null
                && row != null
                && before.sessionNanos() != null
                && version.commit().author().kind() == Event.Author.Kind.SINGLE_WRITE
                && entry != null
                && entry.commit().by() == version.commit().by()
                && row.timeNanos() > before.timeNanos()
                && Objects.equals(row.transactionNanos(), before.transactionNanos());
    }

    private static void checkHeartbeat(
            Model history, WriterLog writer, WriterLog.Version first, WriterLog.Version second, Violations violations) {
        Incarnation by = second.commit().by();
        if (by == null || first.row() == null || second.row() == null) {
            return;
        }
        long apartNanos = second.row().timeNanos() - first.row().timeNanos();
        long dueNanos = history.conditions().heartbeatNanos().get(by.machine());
        if (apartNanos < dueNanos - STAMPS_NANOS
                && first.commit().isSureAt(second.commit().atNanos())
                && !isTroubled(history, by, first.row().timeNanos(), second.commit())) {
            violations.add(
                    Guarantee.LIM,
                    second.commit().atNanos(),
                    null,
                    "writer " + writer.name() + " sent a heartbeat that was written at "
                            + Words.seconds(first.commit().atNanos())
                            + ", and nothing was in the way of its answer, and the next "
                            + Words.seconds(apartNanos) + " of its clock later, where one is due after "
                            + Words.seconds(dueNanos));
        }
    }

    /** From when the stamp of the first of two writes was taken, which may arrive much later, until the second was written. */
    private static boolean isTroubled(Model history, Incarnation by, long stampNanos, Commit second) {
        return history.machines()
                .isTroubled(by.machine(), by.whenItShowsNanos(stampNanos) - STAMPS_NANOS, second.atNanos());
    }

    /** What a session keeps needs no write of its own to last. */
    private static void checkWrites(Model history, Tenure tenure, Violations violations) {
        for (int i = 1; i < tenure.writes().size(); i++) {
            Tenure.Write before = tenure.writes().get(i - 1);
            Tenure.Write write = tenure.writes().get(i);
            if (before.expiryNanos() == null
                    && write.expiryNanos() == null
                    && before.by() == write.by()
                    && !isTroubled(history, write.by(), before.writtenNanos(), write.commit())) {
                violations.add(
                        Guarantee.LIM,
                        write.commit().atNanos(),
                        tenure.held().lease(),
                        write.by() + " wrote at " + Words.seconds(write.commit().atNanos()) + " once more that "
                                + Words.holder(tenure.held()) + " has the lease, which its session kept since "
                                + Words.seconds(before.commit().atNanos()));
                return;
            }
        }
    }

    // ---- the transactions of others ----

    private static Event.Visitor rescues(Model history, Violations violations) {
        return new Event.Visitor() {
            @Override
            public void on(Event.Reached reached) {
                Event.Rest rest = reached.rest();
                if (rest != null
                        && rest.nanos() < RESTS_NANOS_MIN
                        && !mayBeOver(history.writer(rest.writer()), reached.atNanos())) {
                    violations.add(
                            Guarantee.LIM,
                            reached.atNanos(),
                            null,
                            "the engine on m" + reached.machine() + " ended at " + Words.seconds(reached.atNanos())
                                    + " the transaction of " + rest.writer()
                                    + ", whose session went on, and which had rested for no more than "
                                    + Words.seconds(rest.nanos()));
                }
            }
        };
    }

    /** Whether a session was over by any sign of life that was the newest which a majority had within the last second. */
    private static boolean mayBeOver(@Nullable WriterLog writer, long atNanos) {
        for (int i = writer == null ? -1 : writer.versions().size() - 1; writer != null && i >= 0; i--) {
            WriterLog.Version version = writer.versions().get(i);
            if (version.commit().atNanos() <= atNanos) {
                if (isOver(version, atNanos)) {
                    return true;
                }
                if (version.commit().isSureAt(atNanos - RESTS_NANOS_MIN)) {
                    return false;
                }
            }
        }
        return writer == null;
    }

    private static boolean isOver(WriterLog.Version version, long atNanos) {
        Incarnation by = version.commit().by();
        WriterRow row = version.row();
        if (by == null || row == null) {
            return true;
        }
        return row.sessionNanos() != null
                && by.hasPassed(atNanos, row.timeNanos(), version.commit().atNanos(), row.sessionNanos());
    }

    // ---- entries ----

    private static void checkEntries(Model history, Violations violations) {
        int most = ENTRIES_PER_ENGINE_MAX
                * Math.max(1, history.machines().incarnations().size());
        for (Commit commit : history.commits()) {
            for (Change change : commit.event().changes()) {
                change.accept(new Change.Visitor() {
                    @Override
                    public void on(Change.OfClock clock) {
                        if (clock.after().writers().size() > most
                                && clock.before().writers().size() <= most) {
                            violations.add(
                                    Guarantee.LIM,
                                    commit.atNanos(),
                                    null,
                                    "the clock document had "
                                            + clock.after().writers().size() + " writers at "
                                            + Words.seconds(commit.atNanos()) + ", of "
                                            + history.machines().incarnations().size()
                                            + " engines that were ever started");
                        }
                    }
                });
            }
        }
    }
}
