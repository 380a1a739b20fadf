package dev.leasehold.engine.store;

import java.util.UUID;

/** A write of the clock document alone. It does not fail at once behind an open transaction, but waits for about a second. */
public sealed interface ClockWrite {

    String writer();

    /**
     * Makes the entry of a new writer; there must be none.
     *
     * @param writer the new writer
     * @param timeNanos below its first stamp
     * @param driverSession where it will run its transactions
     */
    record Register(String writer, long timeNanos, UUID driverSession) implements ClockWrite {}

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
