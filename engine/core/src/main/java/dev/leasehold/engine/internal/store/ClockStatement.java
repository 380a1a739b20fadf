package dev.leasehold.engine.internal.store;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every transaction. It writes the clock document, and matches only if its schema is known to
 * this engine and the facts hold that the transaction was decided on.
 *
 * @param writer the writer of the transaction. It has an entry, with a time from {@code acknowledgedNanos} to below
 *     {@code stampNanos}: it was not removed, its entry is not from an old registration, and its time does not go back
 * @param acknowledgedNanos the newest stamp of the writer known to be stored
 * @param stampNanos the stamp of this transaction
 * @param tokenFloor the token floor as it was read; null unless the first document of a name takes its token from it
 * @param absentWriters writers that have no entry, so that their session leases are free
 * @param evictedWriters writers whose sessions have certainly expired, each with the time that was read and must still
 *     be there. Their entries are removed, which ends their sessions
 * @param raiseTokenFloorTo raises the floor to at least this, because documents with tokens up to it are removed; null
 *     if none is removed
 */
public record ClockStatement(
        String writer,
        long acknowledgedNanos,
        long stampNanos,
        @Nullable Long tokenFloor,
        Set<String> absentWriters,
        Map<String, Long> evictedWriters,
        @Nullable Long raiseTokenFloorTo) {

    public ClockStatement {
        absentWriters = Set.copyOf(absentWriters);
        evictedWriters = Map.copyOf(evictedWriters);
    }
}
