package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.ExpiryBound;
import org.jspecify.annotations.Nullable;

/** What one engine knows of one lease: the document it last saw, and what that means on its own clock. */
public sealed interface ObservedLease {

    /** The lease that is meant. */
    String name();

    /** No document was there. */
    record Nothing(String name) implements ObservedLease {}

    /** The document, or its writer's entry, breaks the schema. */
    record Unusable(String name, String documentId, String field, String found) implements ObservedLease {}

    /**
     * A sound document.
     *
     * @param document as last seen
     * @param own whether this very engine wrote it last
     * @param orphaned whether it is a session lease whose writer has no entry any more: such a lease is free
     * @param safeAfterNanos instant on this engine's clock strictly after which the writer's clock is certainly past
     *     the document's horizon: its expiry, or the end of the session that keeps it, or for one that nobody holds the
     *     end of its retention, or of the time for which it is kept free, if that is later. {@link ExpiryBound#NEVER} where nothing
     *     is certain
     * @param sessionSeenNanos for a lease kept by another writer's session: the time of its entry, from whose first sight
     *     the bound is counted; null for any other lease
     * @param freeAfterNanos for one that nobody holds and that is kept free: instant on this engine's clock strictly after which it
     *     may be taken; {@link #AT_ONCE} for any other lease
     */
    record Lease(
            LeaseDocument document,
            boolean own,
            boolean orphaned,
            long safeAfterNanos,
            @Nullable Long sessionSeenNanos,
            long freeAfterNanos)
            implements ObservedLease {

        /** What every instant is after. */
        static final long AT_ONCE = Long.MIN_VALUE;

        /** One that nobody keeps free. */
        public Lease(
                LeaseDocument document,
                boolean own,
                boolean orphaned,
                long safeAfterNanos,
                @Nullable Long sessionSeenNanos) {
            this(document, own, orphaned, safeAfterNanos, sessionSeenNanos, AT_ONCE);
        }

        @Override
        public String name() {
            return document.name();
        }

        /** The same of another version of the document, by the same write. */
        Lease of(LeaseDocument version) {
            return new Lease(version, own, orphaned, safeAfterNanos, sessionSeenNanos, freeAfterNanos);
        }

        /** Whether anybody holds it, an orphaned session lease counting as free. */
        public boolean isHeld() {
            return !document.isVacant() && !orphaned;
        }
    }
}
