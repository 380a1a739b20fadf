package dev.leasehold.engine;

/** How a lease stands, seen from one engine. */
public enum LeaseStatus {
    /** No process holds it; a claim may succeed, unless the lease is pinned or kept free. */
    FREE,
    /** Held, and its last writer's clock has certainly passed the expiry; a take-over may succeed. */
    EXPIRED,
    /** Held, and not certainly expired. */
    ACTIVE,
    /** Its document breaks the schema; no operation works on it. */
    CORRUPT
}
