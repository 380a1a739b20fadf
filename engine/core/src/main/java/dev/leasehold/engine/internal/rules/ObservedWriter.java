package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import org.jspecify.annotations.Nullable;

/**
 * What repeated reads of a writer's entry have shown. Reading the same time again does not move the observation; a
 * newer time, which proves that the writer is alive, starts a new one.
 *
 * @param firstSeenNanos the observer's clock after the first read that showed the current time
 * @param seenMoving whether an earlier read showed an older time
 * @param behindNanosMax the smallest difference between the observer's clock after a read and the time; for people
 */
public record ObservedWriter(WriterEntry.Sound entry, long firstSeenNanos, boolean seenMoving, long behindNanosMax) {

    /** The observation after another read of the entry. */
    static ObservedWriter after(@Nullable ObservedWriter known, WriterEntry.Sound entry, long readEndedNanos) {
        long behindNanos = readEndedNanos - entry.timeNanos();
        if (known == null) {
            return new ObservedWriter(entry, readEndedNanos, false, behindNanos);
        }
        boolean moved = known.entry.timeNanos() != entry.timeNanos();
        return new ObservedWriter(
                entry,
                moved ? readEndedNanos : known.firstSeenNanos,
                moved || known.seenMoving,
                Math.min(behindNanos, known.behindNanosMax));
    }

    /** The instant strictly after which {@code nanos} have certainly elapsed on the writer's clock. */
    long safeAfterNanos(long nanos, Drift drift) {
        return ExpiryBound.nanos(firstSeenNanos, 0, nanos, drift);
    }
}
