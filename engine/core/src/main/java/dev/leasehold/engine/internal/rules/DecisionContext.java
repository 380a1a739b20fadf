package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.internal.time.Validity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The engine and the time for which {@link LeaseRules} decides.
 *
 * @param nowNanos the engine's clock, read before anything is sent
 * @param stampNanos the stamp of a write decided now: {@code nowNanos}, or more if the clock stands still
 * @param wallNanos the engine's wall time. It shows how long a suspend lasted, and is stored for people
 * @param tokenFloor tokens of new documents start above it
 */
public record DecisionContext(
        String namespace, String writer, long nowNanos, long stampNanos, long wallNanos, long tokenFloor) {

    Instant wallTime() {
        return LocalInstant.of(wallNanos).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * The expiry of a term that begins now, counted from the stamp, which other engines take for a clock reading: if the
     * clock stands still, the stamp is ahead of it. The holder's validity is counted from the reading.
     */
    long expiryNanos(long durationNanos) {
        return Math.addExact(stampNanos, durationNanos);
    }

    HoldBasis termOf(long durationNanos) {
        return new HoldBasis.Term(Validity.from(nowNanos, wallNanos, durationNanos));
    }

    /** The basis for either kind of lease; the term is null for a session lease. */
    HoldBasis holdFor(@Nullable Long termNanos) {
        return termNanos == null ? new HoldBasis.Session() : termOf(termNanos);
    }
}
