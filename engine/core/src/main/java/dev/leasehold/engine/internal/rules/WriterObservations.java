package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody who looks at writers again and again knows of each: since when its stamp is the present one, whether it was seen to move,
 * and by how much its clock can be behind. Used by one thread at a time.
 */
public final class WriterObservations {

    private final Drift drift;
    private Map<String, Sight> known = new HashMap<>();

    /**
     * Nothing seen yet.
     *
     * @param drift the largest rate error of any clock that takes part
     */
    public WriterObservations(Drift drift) {
        this.drift = drift;
    }

    /**
     * One writer as it was last seen.
     *
     * @param entry as read
     * @param firstSeenNanos the observer's clock after the first read that showed its present stamp
     * @param seenMoving whether an earlier read showed an older stamp
     * @param behindNanosMax the least that the observer's clock, after a read, was ever ahead of the stamp
     */
    public record Sight(WriterEntry.Sound entry, long firstSeenNanos, boolean seenMoving, long behindNanosMax) {}

    /**
     * Takes in what a read found, and forgets the writers that are gone.
     *
     * @param entries all entries of the clock document
     * @param endedNanos the observer's clock after they were read
     */
    public void observe(Iterable<WriterEntry> entries, long endedNanos) {
        Map<String, Sight> next = new HashMap<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry) {
                next.put(entry.writer(), observation(known.get(entry.writer()), entry, endedNanos));
            }
        }
        known = next;
    }

    private static Sight observation(@Nullable Sight before, WriterEntry.Sound entry, long endedNanos) {
        long behindNanos = endedNanos - entry.timeNanos();
        if (before == null) {
            return new Sight(entry, endedNanos, false, behindNanos);
        }
        boolean moved = before.entry.timeNanos() != entry.timeNanos();
        return new Sight(
                entry,
                moved ? endedNanos : before.firstSeenNanos,
                moved || before.seenMoving,
                Math.min(behindNanos, before.behindNanosMax));
    }

    /** The writer as last seen; null for one that was not there then, or whose entry is corrupt. */
    public @Nullable Sight of(String writer) {
        return known.get(writer);
    }

    /**
     * The instant on the observer's clock strictly after which the session is certainly over, unless there is another stamp by then;
     * {@link ExpiryBound#NEVER} for a writer without one.
     */
    public long safeAfterNanos(Sight sight) {
        Long sessionNanos = sight.entry.sessionNanos();
        return sessionNanos == null
                ? ExpiryBound.NEVER
                : ExpiryBound.nanos(sight.firstSeenNanos, 0, sessionNanos, drift);
    }
}
