package dev.leasehold.spring;

/** What the caller of a {@link Leased} method is told if the lease was not acquired, or the occurrence was done before. */
public enum Skipped {
    /** Nothing: the call returns null, an empty {@link java.util.Optional}, or nothing if the method is void. */
    SKIP,
    /**
     * A {@link dev.leasehold.engine.LeaseRefusedException}, which names the holder of the lease, or an {@link OccurrenceDoneException} with the
     * record.
     */
    THROW
}
