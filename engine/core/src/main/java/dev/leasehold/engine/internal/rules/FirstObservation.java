package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import org.jspecify.annotations.Nullable;

/**
 * When this engine first read the current time of a writer's entry. Reading the same time again does not move the
 * observation; a newer time, which proves that the writer is alive, starts a new one.
 *
 * @param timeNanos the time of the entry
 * @param atNanos this engine's clock after the first read that showed it
 */
record FirstObservation(long timeNanos, long atNanos) {

    /** The observation after another read of the entry. */
    static FirstObservation of(@Nullable FirstObservation known, WriterEntry.Sound entry, long nowNanos) {
        return known != null && known.timeNanos == entry.timeNanos()
                ? known
                : new FirstObservation(entry.timeNanos(), nowNanos);
    }

    /** The instant strictly after which {@code nanos} have certainly elapsed on the writer's clock. */
    long safeAfterNanos(long nanos, Drift drift) {
        return ExpiryBound.nanos(atNanos, 0, nanos, drift);
    }
}
