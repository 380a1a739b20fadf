package dev.leasehold.engine.internal.store;

import java.util.UUID;

/**
 * A transaction that is open on the server while none of its commands runs. The server does not report the idle time
 * since its last command; two reads of it show that.
 *
 * @param number of the transaction in that driver session
 * @param activeNanos how long its commands have run in total, on the server's clock
 * @param inactiveNanos how long none has run in total since it began, on the same clock
 */
public record IdleTransaction(UUID driverSession, long number, long activeNanos, long inactiveNanos) {

    /** Whether none of its commands has run since an earlier read of the same driver session. */
    public boolean wasIdleSince(IdleTransaction earlier) {
        return number == earlier.number && activeNanos == earlier.activeNanos;
    }
}
