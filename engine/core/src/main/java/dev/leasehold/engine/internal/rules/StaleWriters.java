package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds writers whose entries can be removed: their time has not changed for longer than their session length, or for
 * an hour if they have no session. Counted on this engine's clock from the first read of that time. Engines that died
 * leave their entries behind; an engine that was only paused continues as a new writer. Event loop only.
 */
public final class StaleWriters {

    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Drift drift;
    private Map<String, FirstObservation> observations = new HashMap<>();

    public StaleWriters(Drift drift) {
        this.drift = drift;
    }

    /**
     * The writes that remove the stale writers. Keeps the observations of the others, and drops those of writers
     * without an entry.
     *
     * @param entries all entries of the clock document
     * @param own this engine's current writer, which is never stale
     * @param nowNanos this engine's clock after the entries were read
     */
    public List<ClockWrite> among(Iterable<WriterEntry> entries, String own, long nowNanos) {
        Map<String, FirstObservation> kept = new HashMap<>();
        List<ClockWrite> removals = new ArrayList<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry && !entry.writer().equals(own)) {
                FirstObservation observation = FirstObservation.of(observations.get(entry.writer()), entry, nowNanos);
                kept.put(entry.writer(), observation);
                if (ExpiryBound.hasPassed(nowNanos, observation.safeAfterNanos(silenceNanos(entry), drift))) {
                    removals.add(removal(entry));
                }
            }
        }
        observations = kept;
        return removals;
    }

    private static long silenceNanos(WriterEntry.Sound entry) {
        Long sessionNanos = entry.sessionNanos();
        return sessionNanos == null ? SILENCE_NANOS : sessionNanos;
    }

    private static ClockWrite removal(WriterEntry.Sound entry) {
        return entry.sessionNanos() == null
                ? new ClockWrite.Prune(entry.writer(), entry.timeNanos())
                : new ClockWrite.Evict(entry.writer(), entry.timeNanos());
    }
}
