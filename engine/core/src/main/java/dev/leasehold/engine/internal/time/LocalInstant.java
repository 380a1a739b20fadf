package dev.leasehold.engine.internal.time;

import java.time.Instant;

/** Converts nanoseconds of one engine's clock to an {@link Instant} for people. */
public final class LocalInstant {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private LocalInstant() {}

    public static Instant of(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }
}
