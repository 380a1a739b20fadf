package dev.leasehold.engine.store;

/** Something that others did to the leases of a namespace. */
public sealed interface LeaseChange {

    /** Nobody holds a lease any more, by whomever and however its tenure was ended; or its last pin was taken away. */
    record Freed(String name) implements LeaseChange {}

    /** A tenure of a lease that had a document began: it was taken over, or was vacant and is held now. */
    record Taken(String name) implements LeaseChange {}

    /** A writer's entry is gone from the clock document of a partition, and every lease that its session kept is free. */
    record WriterGone(String partition, String writer) implements LeaseChange {}
}
