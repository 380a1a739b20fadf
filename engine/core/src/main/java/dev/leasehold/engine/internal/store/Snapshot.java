package dev.leasehold.engine.internal.store;

import java.util.List;

/**
 * The result of one read: leases, and the clock document with the entries of their writers.
 *
 * @param leases one per requested name, or those of a page
 * @param clock the clock document, read after the leases
 */
public record Snapshot(List<StoredLease> leases, ClockDocument clock) {

    public Snapshot {
        leases = List.copyOf(leases);
    }
}
