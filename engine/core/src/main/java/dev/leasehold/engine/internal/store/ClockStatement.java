package dev.leasehold.engine.internal.store;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every transaction: it writes the clock document, and finds it only if everything holds
 * that the transaction was decided on.
 *
 * <p>It matches when the schema is one that this engine knows, and
 * <ul>
 *   <li>the writer's entry exists and its time is at least {@code acknowledgedNanos} and below {@code stampNanos}:
 *       the writer was not removed meanwhile, is not a ghost of an old registration, and its time never goes back;
 *   <li>the token floor is {@code tokenFloor}, where a first document of a name takes its token from it;
 *   <li>every writer of {@code absentWriters} has no entry: their session leases are free;
 *   <li>the time of every writer of {@code evictedWriters} is still the one given there. Their entries are removed, which
 *       ends their sessions.
 * </ul>
 *
 * @param writer who writes
 * @param acknowledgedNanos the newest stamp of the writer known to be stored
 * @param stampNanos the stamp of this transaction
 * @param tokenFloor the token floor as it was read; null when nothing rests on it
 * @param absentWriters writers whose absence the transaction rests on
 * @param evictedWriters writers whose sessions have certainly run out, each with the time that was seen of it
 * @param raiseTokenFloorTo lifts the floor to at least this, because documents with tokens up to it are removed; null
 *     when none is
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
