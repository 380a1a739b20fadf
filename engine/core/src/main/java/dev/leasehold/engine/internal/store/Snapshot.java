package dev.leasehold.engine.internal.store;

import java.util.List;
import java.util.Map;

/**
 * The result of one read: leases with their queues, and the clock document with the entries of their writers.
 *
 * @param leases one per requested name, or those of a page
 * @param queues by the name of the lease, each read not before its lease; empty for a page
 * @param clock the clock document, read after the leases, with the entries of the first waiters too
 */
public record Snapshot(List<StoredLease> leases, Map<String, StoredQueue> queues, ClockDocument clock) {

    /** Of so many waiters of each lease the entries are read, those with the highest priority first. */
    public static final int ENTRIES_OF_WAITERS = 4;

    public Snapshot {
        leases = List.copyOf(leases);
        queues = Map.copyOf(queues);
    }
}
