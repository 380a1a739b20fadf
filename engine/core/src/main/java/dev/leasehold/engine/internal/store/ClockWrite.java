package dev.leasehold.engine.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A write of the clock document alone. It does not fail at once behind an open transaction, but waits for about a second. */
public sealed interface ClockWrite {

    String writer();

    /**
     * Makes the entry of a new writer; there must be none.
     *
     * @param writer the new writer
     * @param timeNanos below its first stamp
     * @param driverSession where it will run its transactions
     * @param sessionNanos the length of its session; null for a writer that has none yet
     */
    record Register(
            String writer,
            long timeNanos,
            UUID driverSession,
            @Nullable Long sessionNanos) implements ClockWrite {}

    /**
     * Begins the session of a registered writer that has none.
     *
     * @param writer whose session it is
     * @param acknowledgedNanos its newest stamp known to be stored, from which its time must not have gone back
     * @param stampNanos its stamp of this write
     * @param sessionNanos how long its session lasts from a stamp on; never changed later
     */
    record Join(String writer, long acknowledgedNanos, long stampNanos, long sessionNanos) implements ClockWrite {}

    /**
     * A heartbeat: the writer's time moves on, and all its session leases with it. It never makes an entry.
     *
     * @param writer whose session it is
     * @param acknowledgedNanos its newest stamp known to be stored, from which its time must not have gone back
     * @param stampNanos its stamp of this write, taken before it is sent
     */
    record Heartbeat(String writer, long acknowledgedNanos, long stampNanos) implements ClockWrite {}

    /** Removes the writer's own entry. That ends its session, if it has one, and frees all its session leases at once. */
    record Leave(String writer) implements ClockWrite {}

    /**
     * Removes the entry of another writer whose session has certainly run out, which frees all its session leases at once.
     *
     * @param writer whose entry it is
     * @param timeNanos what its time must still be: the one from which its session was counted
     */
    record Evict(String writer, long timeNanos) implements ClockWrite {}

    /**
     * Takes the driver session out of the writer's entry, before the session is given back to the driver, which hands
     * it on to others.
     */
    record Unlist(String writer) implements ClockWrite {}

    /**
     * Changes nothing but the ticks, and matches any clock document. When it is done, the last transaction of this store is
     * over, whichever way it ended: the server has ended what was left open of it, since this is a later write in the same
     * driver session. From the moment it is sent on, that transaction's commit cannot be sent again. May be repeated.
     */
    record Barrier(String writer) implements ClockWrite {}

    /**
     * Removes an entry without a session that has not changed for long.
     *
     * @param writer whose entry it is
     * @param timeNanos what its time must still be
     */
    record Prune(String writer, long timeNanos) implements ClockWrite {}
}
