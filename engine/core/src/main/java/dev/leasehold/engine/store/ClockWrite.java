package dev.leasehold.engine.store;

import java.util.UUID;

/** A write of the clock document alone. It waits behind an open transaction instead of failing. */
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
     * Changes nothing but the ticks, and always matches, so that it waits for whatever transaction is open: when it is
     * done, the last transaction of this store is over, whichever way it ended. From the moment it is sent on, that
     * transaction's commit cannot be sent again. May be repeated.
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
