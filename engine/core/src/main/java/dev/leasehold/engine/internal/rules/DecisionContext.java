package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.internal.time.Validity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who decides, and when.
 *
 * @param namespace of the leases
 * @param writer the deciding engine's present incarnation
 * @param nowNanos its clock, read before anything is sent
 * @param stampNanos its stamp for a write decided now: {@code nowNanos}, or more where the clock stood still
 * @param wallNanos its time of day, which measures how long a suspend lasted, and is shown to people
 * @param tokenFloor tokens of new documents start above it
 */
public record DecisionContext(
        String namespace, String writer, long nowNanos, long stampNanos, long wallNanos, long tokenFloor) {

    /** Time of day as a document can hold it. */
    Instant wallTime() {
        return LocalInstant.of(wallNanos).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * The end of a term. Counted from the stamp, which is ahead of the reading where the clock stands still: others take the
     * stamp for a reading, and would be early by as much if the expiry were not late by as much. The holder believes by the
     * reading.
     */
    long expiryNanos(long durationNanos) {
        return Math.addExact(stampNanos, durationNanos);
    }

    /** What a term that begins now lets its holder believe. */
    HoldBasis termOf(long durationNanos) {
        return new HoldBasis.Term(Validity.from(nowNanos, wallNanos, durationNanos));
    }

    /** The same for either kind of lease; null stands for one that the session keeps. */
    HoldBasis holdFor(@Nullable Long termNanos) {
        return termNanos == null ? new HoldBasis.Session() : termOf(termNanos);
    }
}
