package dev.leasehold.engine.protocol;

import dev.leasehold.engine.time.LocalInstant;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

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
public record Situation(
        String namespace, String writer, long nowNanos, long stampNanos, long wallNanos, long tokenFloor) {

    /** Time of day as a document can hold it. */
    Instant wallTime() {
        return LocalInstant.of(wallNanos).truncatedTo(ChronoUnit.MILLIS);
    }
}
