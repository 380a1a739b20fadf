package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Observations of all writers of a clock document over repeated reads of the whole document. One thread at a time. */
public final class WriterObservations {

    private final Drift drift;
    private Map<String, ObservedWriter> known = new HashMap<>();

    /** The drift is the largest rate error of any clock that takes part. */
    public WriterObservations(Drift drift) {
        this.drift = drift;
    }

    /** Records a read of all entries, and drops the writers that have no entry any more, or a corrupt one. */
    public void observe(Iterable<WriterEntry> entries, long endedNanos) {
        Map<String, ObservedWriter> next = new HashMap<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry) {
                next.put(entry.writer(), ObservedWriter.after(known.get(entry.writer()), entry, endedNanos));
            }
        }
        known = next;
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
        Long sessionNanos = writer.entry().sessionNanos();
        return sessionNanos == null ? ExpiryBound.NEVER : writer.safeAfterNanos(sessionNanos, drift);
    }
}
