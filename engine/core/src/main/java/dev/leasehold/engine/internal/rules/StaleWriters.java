package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds writers whose entries can be removed: their time has certainly not changed for longer than their session
 * length, or for an hour if they have no session. An engine that was only paused continues as a new writer. Event loop
 * only.
 */
public final class StaleWriters {

    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Drift drift;
    private final WriterObservations observations;

    public StaleWriters(Drift drift) {
        this.drift = drift;
        this.observations = new WriterObservations(drift);
    }

    /**
     * The writes that remove the stale writers.
     *
     * @param own this engine's current writer, which is never stale
     */
    public List<ClockWrite> among(Iterable<WriterEntry> entries, String own, long nowNanos) {
        observations.observe(entries, nowNanos);
        List<ClockWrite> removals = new ArrayList<>();
        for (WriterEntry each : entries) {
            ObservedWriter writer = observations.of(each.writer());
            if (writer != null
                    && !each.writer().equals(own)
                    && ExpiryBound.hasPassed(nowNanos, writer.safeAfterNanos(silenceNanos(writer.entry()), drift))) {
                removals.add(removal(writer.entry()));
            }
        }
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
