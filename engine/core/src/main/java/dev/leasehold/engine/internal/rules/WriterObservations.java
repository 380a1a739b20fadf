package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Observations of writers over repeated reads: since when the stamp of each is unchanged, whether it was ever seen to
 * change, and by how much its clock can be behind. One thread at a time.
 */
public final class WriterObservations {

    private final Drift drift;
    private Map<String, ObservedWriter> known = new HashMap<>();

    /**
     * Without observations.
     *
     * @param drift the largest rate error of any clock that takes part
     */
    public WriterObservations(Drift drift) {
        this.drift = drift;
    }

    /**
     * The newest observation of one writer.
     *
     * @param entry as read
     * @param firstSeenNanos the observer's clock after the first read that showed the current stamp
     * @param seenMoving whether an earlier read showed an older stamp
     * @param behindNanosMax the smallest difference between the observer's clock after a read and the stamp
     */
    public record ObservedWriter(
            WriterEntry.Sound entry, long firstSeenNanos, boolean seenMoving, long behindNanosMax) {}

    /**
     * Records a read, and drops the writers that have no entry any more.
     *
     * @param entries all entries of the clock document
     * @param endedNanos the observer's clock after the read
     */
    public void observe(Iterable<WriterEntry> entries, long endedNanos) {
        Map<String, ObservedWriter> next = new HashMap<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry) {
                next.put(entry.writer(), observation(known.get(entry.writer()), entry, endedNanos));
            }
        }
        known = next;
    }

    private static ObservedWriter observation(
            @Nullable ObservedWriter before, WriterEntry.Sound entry, long endedNanos) {
        long behindNanos = endedNanos - entry.timeNanos();
        if (before == null) {
            return new ObservedWriter(entry, endedNanos, false, behindNanos);
        }
        boolean moved = before.entry.timeNanos() != entry.timeNanos();
        return new ObservedWriter(
                entry,
                moved ? endedNanos : before.firstSeenNanos,
                moved || before.seenMoving,
                Math.min(behindNanos, before.behindNanosMax));
    }

    /** The newest observation of a writer; null if it had no entry at the last read, or a corrupt one. */
    public @Nullable ObservedWriter of(String writer) {
        return known.get(writer);
    }

    /**
     * The instant on the observer's clock strictly after which the session has certainly expired, unless the entry
     * shows another stamp by then; {@link ExpiryBound#NEVER} for a writer without a session.
     */
    public long safeAfterNanos(ObservedWriter writer) {
        Long sessionNanos = writer.entry.sessionNanos();
        return sessionNanos == null
                ? ExpiryBound.NEVER
                : ExpiryBound.nanos(writer.firstSeenNanos, 0, sessionNanos, drift);
    }
}
