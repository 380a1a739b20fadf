package dev.leasehold.simulator.conditions;

/** How a document is damaged. */
public enum DamageKind {
    /** A field of the lease document gets a value of another type, until the healing. */
    CORRUPT_LEASE,
    /** The lease document is removed, as if by a restored backup that did not have it. */
    REMOVE_LEASE
}
