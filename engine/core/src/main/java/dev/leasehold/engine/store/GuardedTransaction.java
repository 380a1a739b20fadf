package dev.leasehold.engine.store;

import java.util.List;

/**
 * One transaction: the clock first, then the leases, and nothing unless every guard holds.
 *
 * @param clock the first statement
 * @param writes at most one for each lease
 */
public record GuardedTransaction(ClockStatement clock, List<LeaseWrite> writes) {

    public GuardedTransaction {
        writes = List.copyOf(writes);
    }
}
