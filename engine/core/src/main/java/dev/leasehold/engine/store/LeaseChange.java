package dev.leasehold.engine.store;

/** Something that others did to the leases of a namespace. */
public sealed interface LeaseChange {

    /**
     * The tenure of a lease was ended, by whomever and however, or its last pin was taken away. A vacant lease that somebody
     * claimed may be told as well, since that looks like a take-over.
     */
    record Ended(String name) implements LeaseChange {}

    /** A writer's entry is gone from the clock document, and every lease that its session kept is free. */
    record WriterGone(String writer) implements LeaseChange {}
}
