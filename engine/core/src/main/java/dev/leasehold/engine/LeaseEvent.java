package dev.leasehold.engine;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a namespace, as the database tells it after a majority had it. Renewals, heartbeats and assertions are
 * no events.
 */
public sealed interface LeaseEvent {

    /** {@return the part of the namespace in which it happened} */
    String partition();

    /** {@return when, by the clock of the database server that was primary then, to the second; for people} */
    Instant serverTime();

    /** What happened to a lease. */
    enum LeaseChange {
        /** A tenure began. */
        ACQUIRED,
        /** A tenure was ended: released, or expired. */
        ENDED,
        /** A tenure was ended by an operator. The comment says why. */
        FORCE_EXPIRED,
        /** Pins came or went. */
        PINS_CHANGED,
        /** The document of a vacant lease was removed. */
        REMOVED,
        /** The document was replaced as a whole, which no engine does. */
        REPLACED
    }

    /**
     * Something that happened to a lease.
     *
     * @param partition in which part of the namespace
     * @param serverTime when, by the server's clock
     * @param name the lease
     * @param change what it was
     * @param holder the new holder, of an acquisition; null otherwise, and where its tenure was over before it could be
     *     looked up
     * @param token of the tenure that began or ended. Null if the event is about no tenure, or if the lease was held
     *     again before the token could be looked up
     * @param comment the comment of the holder, or of the operator that ended the tenure; null for none
     * @param pins the entities that pin it, at the event or since
     */
    record OfLease(
            String partition,
            Instant serverTime,
            String name,
            LeaseChange change,
            @Nullable String holder,
            @Nullable Long token,
            @Nullable String comment,
            Set<String> pins)
            implements LeaseEvent {

        /**
         * Copies the pins.
         *
         * @param partition in which part of the namespace
         * @param serverTime when, by the server's clock
         * @param name the lease
         * @param change what it was
         * @param holder the new holder
         * @param token its token
         * @param comment its comment
         * @param pins the entities that pin it
         */
        public OfLease {
            pins = Set.copyOf(pins);
        }
    }

    /** What happened to an engine's entry in a clock document. */
    enum WriterChange {
        /** The engine wrote in the partition for the first time. */
        CAME,
        /** Its session began, which keeps leases. */
        SESSION_BEGAN,
        /** It was closed, and its entry stays for the terms that it wrote. */
        CLOSED,
        /** Its entry is gone, and every lease that its session kept is free: it was closed, or others have evicted it. */
        GONE
    }

    /**
     * Something that happened to an engine's entry.
     *
     * @param partition whose clock document has the entry
     * @param serverTime when, by the server's clock
     * @param writer the key of the entry
     * @param change what it was
     */
    record OfWriter(String partition, Instant serverTime, String writer, WriterChange change) implements LeaseEvent {}
}
