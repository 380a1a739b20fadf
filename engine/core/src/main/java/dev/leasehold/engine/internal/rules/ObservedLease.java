package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.LocalInstant;
import org.jspecify.annotations.Nullable;

/** What one engine knows of one lease: the document it last read, and its bounds on this engine's clock. */
public sealed interface ObservedLease {

    String name();

    /** The public state of the lease at an instant of this engine's clock. */
    LeaseState stateAt(long nowNanos);

    /** There was no document. */
    record Nothing(String name) implements ObservedLease {
        @Override
        public LeaseState stateAt(long nowNanos) {
            return new LeaseState.Absent(name);
        }
    }

    /** The document, or its writer's entry, breaks the schema. */
    record Unusable(String name, String documentId, String field, String found) implements ObservedLease {
        @Override
        public LeaseState stateAt(long nowNanos) {
            return new LeaseState.Corrupt(name, documentId, field, found);
        }
    }

    /**
     * A document that follows the schema.
     *
     * @param document as last read
     * @param own whether this engine's current writer wrote it last
     * @param orphaned whether it is a session lease whose writer has no entry any more: such a lease is free
     * @param safeAfterNanos instant on this engine's clock strictly after which the writer's clock is certainly past
     *     the end that applies: for a term lease its expiry, for a session lease the end of the session, for a vacant
     *     lease the end of its retention or the time before which it must not be acquired, whichever is later. {@link
     *     ExpiryBound#NEVER} if nothing is certain
     * @param sessionSeenNanos for a session lease of another writer: the time of that writer's entry, from whose first
     *     observation the bound is counted; null for any other lease
     * @param freeAfterNanos for a vacant lease that must not be acquired yet: instant on this engine's clock strictly
     *     after which it may be acquired; {@link #AT_ONCE} for any other lease
     */
    record Lease(
            LeaseDocument document,
            boolean own,
            boolean orphaned,
            long safeAfterNanos,
            @Nullable Long sessionSeenNanos,
            long freeAfterNanos)
            implements ObservedLease {

        /** The bound that every instant is past. */
        static final long AT_ONCE = Long.MIN_VALUE;

        /** A lease without a time before which it must not be acquired. */
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

        /** An orphaned session lease is not held. */
        public boolean isHeld() {
            return !document.isVacant() && !orphaned;
        }

        @Override
        public LeaseState stateAt(long nowNanos) {
            return isHeld()
                    ? new LeaseState.Held(
                            document.tenure(),
                            Preconditions.hasCertainlyExpired(this, nowNanos)
                                    ? LeaseStatus.EXPIRED
                                    : LeaseStatus.ACTIVE,
                            safeAfterNanos == ExpiryBound.NEVER ? null : LocalInstant.of(safeAfterNanos),
                            document.since(),
                            document.comment(),
                            document.isSessionLease(),
                            document.pins(),
                            document.payload())
                    : new LeaseState.Vacant(
                            document.name(),
                            document.token(),
                            document.isVacant() ? document.comment() : null,
                            document.pins(),
                            Preconditions.isKeptFree(this, nowNanos) ? LocalInstant.of(freeAfterNanos) : null);
        }

        /** The same observation with another version of the document, by the same write. */
        Lease of(LeaseDocument version) {
            return new Lease(version, own, orphaned, safeAfterNanos, sessionSeenNanos, freeAfterNanos);
        }

        /** With the earlier bounds of another observation of the same write. */
        Lease notLaterThan(Lease known) {
            return new Lease(
                    document,
                    own,
                    orphaned,
                    Math.min(safeAfterNanos, known.safeAfterNanos),
                    sessionSeenNanos,
                    Math.min(freeAfterNanos, known.freeAfterNanos));
        }
    }
}
