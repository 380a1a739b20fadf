package dev.leasehold.engine.internal.store;

import java.util.List;

/**
 * One transaction: the clock first, then the leases, and nothing unless every guard holds.
 *
 * @param clock the first statement
 * @param writes at most one for each lease
 * @param clockApart whether the first statement is sent in a command of its own. That holds the clock for longer, but a
 *     conflict then says whether it was about the clock or about a lease.
 */
public record GuardedTransaction(ClockStatement clock, List<LeaseWrite> writes, boolean clockApart) {

    public GuardedTransaction {
        writes = List.copyOf(writes);
    }

    /** All statements in as few commands as can be. */
    public GuardedTransaction(ClockStatement clock, List<LeaseWrite> writes) {
        this(clock, writes, false);
    }
}
