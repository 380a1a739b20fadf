package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What repeated reads of a writer's entry have shown. Reading the same time again does not move the observation; a
 * newer time, which proves that the writer is alive, starts a new one. Forgetting a writer is always safe: its session
 * is counted again from the next read.
 *
 * @param firstSeenNanos the observer's clock after the first read that showed the current time
 * @param seenMoving whether an earlier read showed an older time
 * @param behindNanosMax the smallest difference between the observer's clock after a read and the time; for people
 */
public record ObservedWriter(WriterEntry.Sound entry, long firstSeenNanos, boolean seenMoving, long behindNanosMax) {

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

    /**
     * The observations after another read of all entries, in their order. A writer that has no entry any more, or a
     * corrupt one, is dropped.
     */
    public static Map<String, ObservedWriter> after(
            Map<String, ObservedWriter> known, Iterable<WriterEntry> entries, long readEndedNanos) {
        Map<String, ObservedWriter> next = new LinkedHashMap<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry) {
                next.put(entry.writer(), after(known.get(entry.writer()), entry, readEndedNanos));
            }
        }
        return next;
    }

    /**
     * The instant on the observer's clock strictly after which the session has certainly expired, unless the entry
     * shows a newer time by then; {@link ExpiryBound#NEVER} for a writer without a session.
     */
    public long safeAfterNanos(Drift drift) {
        Long sessionNanos = entry.sessionNanos();
        return sessionNanos == null ? ExpiryBound.NEVER : ExpiryBound.nanos(firstSeenNanos, 0, sessionNanos, drift);
    }
}
