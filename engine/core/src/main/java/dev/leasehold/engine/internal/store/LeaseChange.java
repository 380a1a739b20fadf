package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.Tenure;
import org.jspecify.annotations.Nullable;

/** Something that others did to the leases of a namespace. */
public sealed interface LeaseChange {

    /** Something that was done to one lease. */
    sealed interface OfLease extends LeaseChange {

        /** Of the lease. */
        String name();

        /**
         * The document as it was then or at some time since, as a majority had it; null if it was gone, is damaged, or was not looked at.
         * Whatever rests on it must be guarded by it.
         */
        @Nullable LeaseDocument latest();

        /** Whether it came with a document. */
        default boolean wasLookedAt() {
            return latest() != null;
        }

        /** Whether the document shows that a tenure is over. */
        default boolean showsTheEndOf(Tenure tenure) {
            LeaseDocument latest = latest();
            return latest != null && latest.showsTheEndOf(tenure);
        }
    }

    /**
     * Nobody holds a lease any more, by whomever and however its tenure was ended; or its last pin was taken away.
     *
     * @param name of the lease
     * @param latest the document since
     */
    record Freed(String name, @Nullable LeaseDocument latest) implements OfLease {

        /** Of which nothing more is known. */
        public Freed(String name) {
            this(name, null);
        }
    }

    /**
     * A tenure of a lease that had a document began: it was taken over, or was vacant and is held now.
     *
     * @param name of the lease
     * @param latest the document since
     */
    record Taken(String name, @Nullable LeaseDocument latest) implements OfLease {

        /** Of which nothing more is known. */
        public Taken(String name) {
            this(name, null);
        }
    }

    /** A writer's entry is gone from the clock document of a partition, and every lease that its session kept is free. */
    record WriterGone(String partition, String writer) implements LeaseChange {}
}
