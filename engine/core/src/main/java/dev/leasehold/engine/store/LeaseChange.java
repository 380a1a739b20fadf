package dev.leasehold.engine.store;

import org.jspecify.annotations.Nullable;

/** Something that others did to the leases of a namespace. */
public sealed interface LeaseChange {

    /**
     * Nobody holds a lease any more, by whomever and however its tenure was ended; or its last pin was taken away.
     *
     * @param name of the lease
     * @param vacant the document as it was at some time since, as a majority had it; null if it was not vacant then, or was not
     *     looked at. Whatever rests on it must be guarded by it
     */
    record Freed(String name, @Nullable LeaseDocument vacant) implements LeaseChange {

        /** Of which nothing more is known. */
        public Freed(String name) {
            this(name, null);
        }
    }

    /** A tenure of a lease that had a document began: it was taken over, or was vacant and is held now. */
    record Taken(String name) implements LeaseChange {}

    /** A writer's entry is gone from the clock document of a partition, and every lease that its session kept is free. */
    record WriterGone(String partition, String writer) implements LeaseChange {}
}
