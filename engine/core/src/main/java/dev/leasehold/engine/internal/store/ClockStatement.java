package dev.leasehold.engine.internal.store;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every transaction. It writes the clock document, and matches only if the facts hold that the
 * transaction was decided on.
 *
 * <p>It matches if the schema is known to this engine, and
 * <ul>
 * <li>the writer's entry exists and its time is at least {@code acknowledgedNanos} and below {@code stampNanos}: the
 *     writer was not removed, its entry is not from an old registration, and its time does not go back;
 * <li>the token floor is {@code tokenFloor}, if the first document of a name takes its token from it;
 * <li>no writer of {@code absentWriters} has an entry: their session leases are free;
 * <li>the time of every writer of {@code evictedWriters} is still the given one. Their entries are removed, which ends
 *     their sessions.
 * </ul>
 *
 * @param writer the writer of the transaction
 * @param acknowledgedNanos the newest stamp of the writer known to be stored
 * @param stampNanos the stamp of this transaction
 * @param tokenFloor the token floor as it was read; null if nothing rests on it
 * @param absentWriters writers on whose absence the transaction rests
 * @param evictedWriters writers whose sessions have certainly expired, each with the time that was read
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
