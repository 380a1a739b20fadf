package dev.leasehold.testkit;

/** What becomes of the next operation that an engine sends to its database. */
public enum StoreFailure {

    /**
     * The server refuses the operation once, as during a fail-over. The engine sends it again by itself, so callers see nothing but a later
     * answer.
     */
    REFUSED_ONCE,

    /**
     * The database cannot be reached until the operation has run out of its budget: {@link
     * dev.leasehold.engine.LeaseUnavailableException}. It was not carried out. The next write or read of leases, not a heartbeat.
     */
    UNAVAILABLE,

    /**
     * The next write of leases is carried out, its answer is lost, and nothing can be found out before its budget is over: {@link
     * dev.leasehold.engine.LeaseOutcomeUnknownException}.
     */
    UNKNOWN_AND_WRITTEN,

    /** The same for the caller, but the write was not carried out. */
    UNKNOWN_AND_NOT_WRITTEN
}
