package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.LIM;

import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Marks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * LIM: where nothing is in the way a heartbeat comes no sooner than a heartbeat period after the one before, or a tenth of the session if
 * its engine has a ticket in a queue, or had one until lately. G6: an engine never ends a
 * transaction of application code. LIM: it ends that of another engine only after it was idle for a second, unless the session of that one is
 * certainly over.
 */
record EffortInvariant(Model history, Violations violations) {

    /** Stamps may be a little ahead of the clock. */
    private static final long STAMPS_NANOS = 1_000;

    /** Of its session an engine lets pass that part at least between two heartbeats while it waits. */
    private static final int PARTS_OF_WAITING = 10;

    /** By its own clock it goes on like that for so long after it has seen its ticket near the head for the last time. */
    private static final long HASTENED_NANOS = 6_100_000_000L;

    private static final long IDLE_NANOS_MIN = 1_000_000_000;

    void check() {
        // Where a majority takes longer than a command may, the engine does not hear of a heartbeat, and tries again.
        if (history.isInside() && history.bounds.isAnsweredInTime()) {
            history.writers.values().forEach(this::checkHeartbeats);
        }
        history.tell(new Handlers<Event>().on(Event.Reached.class, this::reached));
    }

    // ---- heartbeats ----

    private void checkHeartbeats(WriterLog writer) {
        WriterLog.Version last = null;
        for (WriterLog.Version version : writer.versions) {
            if (isHeartbeat(version)) {
                checkHeartbeat(writer.name, last, version);
                last = version;
            }
        }
    }

    /** A write of the time, and of nothing else, into an entry that has a session. */
    private static boolean isHeartbeat(WriterLog.Version version) {
        WriterLog.Version entry = version.entryBefore();
        WriterRow before = version.before();
        WriterRow row = version.row();
        return entry != null
                && before != null
                && row != null
                && entry.sessionNanos() > 0
                && version.commit().author.kind() == Event.Author.Kind.SINGLE_WRITE
                && entry.commit().by == version.commit().by
                && row.timeNanos() > before.timeNanos()
                && Objects.equals(row.transactionNanos(), before.transactionNanos());
    }

    private void checkHeartbeat(String writer, WriterLog.@Nullable Version first, WriterLog.Version second) {
        Incarnation by = second.commit().by;
        if (by == null || first == null || first.row() == null || second.row() == null) {
            return;
        }
        long stampNanos = first.row().timeNanos();
        long apartNanos = second.row().timeNanos() - stampNanos;
        long periodNanos = history.conditions.heartbeatNanos().get(by.machine);
        // The first of two writes may arrive much later than its stamp was taken.
        long fromNanos = by.whenItShowsNanos(stampNanos) - STAMPS_NANOS;
        long atNanos = second.commit().atNanos;
        // It reads queue and clock by a command each.
        long seenNanos = HASTENED_NANOS + 2 * history.conditions.commandNanos() + history.conditions.threadLateNanos();
        long sinceNanos = stampNanos - seenNanos <= by.readingNanos(by.startedNanos())
                ? by.startedNanos()
                : by.whenItShowsNanos(stampNanos - seenNanos);
        long dueNanos = isWaiting(writer, Math.min(fromNanos, sinceNanos), atNanos)
                ? Math.min(periodNanos, second.sessionNanos() / PARTS_OF_WAITING)
                : periodNanos;
        if (apartNanos < dueNanos - STAMPS_NANOS
                && first.commit().isSureAt(atNanos)
                && !history.machines.isTroubled(by.machine, fromNanos, atNanos)) {
            String what = "a heartbeat of %s follows its last by %s, where nothing was in the way, and is due by %s,";
            violations.add(LIM, atNanos, null, what, writer, apartNanos, dueNanos);
        }
    }

    /** Whether a writer had a ticket in a queue at some instant between two. */
    private boolean isWaiting(String writer, long fromNanos, long toNanos) {
        return history.leases.values().stream().anyMatch(lease -> {
            long untilNanos = Incarnation.NEVER;
            for (int i = lease.queues.size() - 1; i >= 0 && untilNanos >= fromNanos; i--) {
                LeaseLog.Queue queue = lease.queues.get(i);
                if (queue.commit().atNanos <= toNanos
                        && queue.tickets().stream()
                                .anyMatch(ticket -> ticket.writer().equals(writer))) {
                    return true;
                }
                untilNanos = queue.commit().atNanos;
            }
            return false;
        });
    }

    // ---- transactions of others ----

    private void reached(Event.Reached reached) {
        Event.Rest rest = reached.rest();
        if (reached.mark().equals(Marks.CALLER_ENDED)) {
            violations.add(
                    G6, reached.atNanos(), null, "the engine on m%s ended a caller's transaction", reached.machine());
        } else if (rest != null
                && rest.nanos() < IDLE_NANOS_MIN
                && history.isInside()
                && !mayBeOver(history.writers.get(rest.writer()), reached.atNanos())) {
            String what =
                    "the engine on m%s ended the transaction of %s, whose session went on, and which was idle for %s";
            violations.add(LIM, reached.atNanos(), null, what, reached.machine(), rest.writer(), rest.nanos());
        }
    }

    /** Whether a session was over by any sign of life that was the newest which a majority had within the last second. */
    private static boolean mayBeOver(@Nullable WriterLog writer, long atNanos) {
        if (writer == null) {
            return true;
        }
        WriterLog.Version telling = Model.newest(
                writer.versions,
                version -> isOver(version, atNanos) || version.commit().isSureAt(atNanos - IDLE_NANOS_MIN));
        return telling != null && isOver(telling, atNanos);
    }

    private static boolean isOver(WriterLog.Version entry, long atNanos) {
        StoredTime session = StoredTime.ofSession(entry);
        return entry.commit().atNanos <= atNanos
                && (entry.row() == null || entry.commit().by == null || session != null && session.isOver(atNanos));
    }
}
