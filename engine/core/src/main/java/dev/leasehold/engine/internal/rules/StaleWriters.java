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
 * Which writers have been silent for too long, counted on this engine's clock from the first sight of their present
 * time: for longer than their session, or for an hour if they have none. Engines that died leave their entries behind;
 * one that is alive after all goes on as a new writer. Used by the engine's own thread alone.
 */
public final class StaleWriters {

    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Drift drift;
    private Map<String, FirstObservation> seen = new HashMap<>();

    public StaleWriters(Drift drift) {
        this.drift = drift;
    }

    /**
     * The writes that remove those who may go now. Remembers the others, and forgets those that are gone.
     *
     * @param entries all entries of the clock document
     * @param own this engine's present incarnation, which is never silent
     * @param nowNanos this engine's clock after they were read
     */
    public List<ClockWrite> among(Iterable<WriterEntry> entries, String own, long nowNanos) {
        Map<String, FirstObservation> next = new HashMap<>();
        List<ClockWrite> removals = new ArrayList<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry && !entry.writer().equals(own)) {
                FirstObservation sight = FirstObservation.of(seen.get(entry.writer()), entry, nowNanos);
                next.put(entry.writer(), sight);
                if (ExpiryBound.hasPassed(nowNanos, sight.safeAfterNanos(silenceNanos(entry), drift))) {
                    removals.add(removal(entry));
                }
            }
        }
        seen = next;
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
