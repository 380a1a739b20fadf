package dev.leasehold.engine.internal.store;

import java.util.List;

/**
 * One transaction: writes the clock document first, then the leases. It commits only if every guard holds.
 *
 * @param writes at most one per lease
 * @param clockApart whether the first statement is sent in a separate command. That holds the clock document for
 *     longer, but shows whether a conflict is on the clock document or on a lease
 */
public record GuardedTransaction(ClockStatement clock, List<LeaseWrite> writes, boolean clockApart) {

    public GuardedTransaction {
        writes = List.copyOf(writes);
    }
}
