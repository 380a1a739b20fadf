package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import org.jspecify.annotations.Nullable;

/**
 * When an engine first saw the present time of a writer's entry. What is counted from there is not put off by looking
 * again, and starts again when the writer has shown that it lives.
 *
 * @param timeNanos of the entry
 * @param atNanos this engine's clock after the first read that showed it
 */
record FirstObservation(long timeNanos, long atNanos) {

    /** The sight that counts once the entry was read again. */
    static FirstObservation of(@Nullable FirstObservation known, WriterEntry.Sound entry, long nowNanos) {
        return known != null && known.timeNanos == entry.timeNanos()
                ? known
                : new FirstObservation(entry.timeNanos(), nowNanos);
    }

    /** The instant strictly after which the writer has let certainly so much of its own time go by. */
    long safeAfterNanos(long nanos, Drift drift) {
        return ExpiryBound.nanos(atNanos, 0, nanos, drift);
    }
}
