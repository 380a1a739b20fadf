package dev.leasehold.engine.internal.store;

import java.util.UUID;

/**
 * A transaction that is open on the server while no command of it is running. How long it has rested since its last command
 * the server does not tell; two looks at it do.
 *
 * @param driverSession in which it was begun
 * @param number which transaction of that driver session it is
 * @param activeNanos for how long commands of it have been running, all of them together, on the server's clock
 * @param inactiveNanos for how long none has, all such times since it began together, on the same clock
 */
public record IdleTransaction(UUID driverSession, long number, long activeNanos, long inactiveNanos) {

    /** Whether no command of it has run since an earlier look at the same driver session. */
    public boolean hasRestedSince(IdleTransaction earlier) {
        return number == earlier.number && activeNanos == earlier.activeNanos;
    }
}
