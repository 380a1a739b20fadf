package dev.leasehold.engine.internal.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A write of the clock document alone. Behind an open transaction it waits for about a second instead of failing at
 * once.
 */
public sealed interface ClockWrite {

    String writer();

    /**
     * Creates the entry of a new writer; there must be none.
     *
     * @param timeNanos below its first stamp
     * @param driverSession the driver session of its transactions
     * @param sessionNanos its session length; null for a writer without a session
     */
    record Register(
            String writer,
            long timeNanos,
            UUID driverSession,
            @Nullable Long sessionNanos) implements ClockWrite {}

    /**
     * Begins the session of a registered writer that has none.
     *
     * @param acknowledgedNanos its newest stamp known to be stored, below which its time must not have gone back
     * @param stampNanos its stamp of this write
     * @param sessionNanos the session length, counted from each stamp; never changed later
     */
    record Join(String writer, long acknowledgedNanos, long stampNanos, long sessionNanos) implements ClockWrite {}

    /** Moves the writer's time forward, and thereby renews all its session leases. Never creates an entry. As a {@link Join} otherwise. */
    record Heartbeat(String writer, long acknowledgedNanos, long stampNanos) implements ClockWrite {}

    /** Removes the writer's own entry. That ends its session, if it has one, and frees all its session leases at once. */
    record Leave(String writer) implements ClockWrite {}

    /**
     * Removes entries of other writers, each under conditions of its own, but all of them or none. That frees all session leases of those
     * writers at once.
     *
     * @param prunings the writers without a session whose entries have not changed for long, each with what its time must still be
     * @param evictions the writers whose sessions have certainly expired, each with what its time must still be: the one from which its
     *     session was counted
     */
    record Clear(Map<String, Long> prunings, Map<String, Long> evictions) implements ClockWrite {

        public Clear {
            prunings = Map.copyOf(prunings);
            evictions = Map.copyOf(evictions);
        }

        /** Of one or more entries as they were read. */
        public static Clear of(Collection<WriterEntry.Sound> stale) {
            Map<String, Long> prunings = new HashMap<>();
            Map<String, Long> evictions = new HashMap<>();
            stale.forEach(entry ->
                    (entry.sessionNanos() == null ? prunings : evictions).put(entry.writer(), entry.timeNanos()));
            return new Clear(prunings, evictions);
        }

        /** The first of the writers that are removed. */
        @Override
        public String writer() {
            return writers().first();
        }

        /** All writers that are removed. */
        public SortedSet<String> writers() {
            SortedSet<String> writers = new TreeSet<>(prunings.keySet());
            writers.addAll(evictions.keySet());
            return writers;
        }
    }

    /** Removes the driver session from the writer's entry, before it returns to the driver's pool for other use. */
    record Unlist(String writer) implements ClockWrite {}

    /**
     * Changes only the ticks, and matches any clock document. When it is done, the last transaction of this store is
     * over: this is a later write in the same driver session, so the server has ended what was left open. Once it is
     * sent, the commit of that transaction cannot be resent. May be repeated.
     */
    record Barrier(String writer) implements ClockWrite {}
}
