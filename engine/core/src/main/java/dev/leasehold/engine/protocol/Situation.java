package dev.leasehold.engine.protocol;

import java.time.Instant;

/**
 * Who decides, and when.
 *
 * @param namespace of the leases
 * @param writer the deciding engine's present incarnation
 * @param nowNanos its clock, read before anything is sent
 * @param stampNanos its stamp for a write decided now: {@code nowNanos}, or more where the clock stood still
 * @param wallTime its time of day, for people alone
 * @param tokenFloor tokens of new documents start above it
 */
public record Situation(
        String namespace, String writer, long nowNanos, long stampNanos, Instant wallTime, long tokenFloor) {}
