package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.Tenure;
import org.jspecify.annotations.Nullable;

/** A change of a lease of the namespace, as reported by the change stream. */
public sealed interface LeaseChange {

    /** A change of one lease. */
    sealed interface OfLease extends LeaseChange {

        String name();

        /**
         * The document at the change or at some time since, as a majority had it; null if it was removed, is corrupt,
         * or was not read. A write that rests on it must be guarded by it.
         */
        @Nullable LeaseDocument latest();

        /** Whether the change includes a document. */
        default boolean showsDocument() {
            return latest() != null;
        }

        /** The stamp of the write that the document shows; null without a document. */
        default @Nullable Long writtenNanos() {
            LeaseDocument latest = latest();
            return latest == null ? null : latest.writtenNanos();
        }

        /** Whether the document shows that the session of a writer keeps the lease. */
        default boolean showsKeptBy(String writer) {
            LeaseDocument latest = latest();
            return latest != null && latest.isSessionLease() && latest.writer().equals(writer);
        }

        /** Whether the document shows that the lease is not held under that token any more, nor under a smaller one. */
        default boolean showsNotHeldUnder(long token) {
            LeaseDocument latest = latest();
            return latest != null && (latest.token() > token || latest.token() == token && latest.isVacant());
        }

        /** Whether the document shows that a tenure is over. */
        default boolean showsTheEndOf(Tenure tenure) {
            LeaseDocument latest = latest();
            return latest != null && latest.showsTheEndOf(tenure);
        }
    }

    /** A lease became vacant, however its tenure ended; or its last pin was removed; or the document was replaced as a whole. */
    record Freed(String name, @Nullable LeaseDocument latest) implements OfLease {}

    /** A tenure began on a lease with an existing document: it was taken over, or was vacant and is now held. */
    record Taken(String name, @Nullable LeaseDocument latest) implements OfLease {}

    /**
     * The first tenure of a lease began, with its document, or a holder changed its payload: nothing that a waiter or another holder has
     * to know.
     */
    record Described(String name, @Nullable LeaseDocument latest) implements OfLease {}

    /** A ticket was sent for a lease. */
    record Queued(String name) implements LeaseChange {}

    /** The clock document of a partition was deleted, or the collection was dropped or renamed. */
    record ClockLost(String partition) implements LeaseChange {}

    /** The clock document of a partition, or its map of writers, was replaced as a whole, which no engine does. */
    record ClockReplaced(String partition) implements LeaseChange {}

    /** A writer's entry was removed from the clock document of a partition: all its session leases are free. */
    record WriterGone(String partition, String writer) implements LeaseChange {}
}
