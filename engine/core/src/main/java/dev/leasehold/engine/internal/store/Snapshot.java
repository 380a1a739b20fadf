package dev.leasehold.engine.internal.store;

import java.util.List;

/**
 * What one read found: the leases first, and then the clock document with the entries of their writers.
 *
 * @param leases one for each name asked for, or those of a page
 * @param clock the clock document, read after the leases
 */
public record Snapshot(List<StoredLease> leases, ClockDocument clock) {

    public Snapshot {
        leases = List.copyOf(leases);
    }
}
