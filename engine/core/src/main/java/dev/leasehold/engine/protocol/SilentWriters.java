package dev.leasehold.engine.protocol;

import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.SafeAfter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which writers have been silent for an hour, counted on this engine's clock from the first sight of their present
 * stamp. Engines that died leave their entries behind; one that is alive after all goes on as a new writer. Entries with
 * a session are not touched: they end by eviction alone. Used by the engine's own thread alone.
 */
public final class SilentWriters {

    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Drift drift;
    private Map<String, FirstSight> seen = new HashMap<>();

    private record FirstSight(long timeNanos, long atNanos) {}

    public SilentWriters(Drift drift) {
        this.drift = drift;
    }

    /**
     * Those that may go now. Remembers the others, and forgets those that are gone.
     *
     * @param entries all entries of the clock document
     * @param own this engine's present incarnation, which is never silent
     * @param nowNanos this engine's clock after they were read
     */
    public List<ClockWrite.Prune> among(Iterable<WriterEntry> entries, String own, long nowNanos) {
        Map<String, FirstSight> next = new HashMap<>();
        List<ClockWrite.Prune> silent = new ArrayList<>();
        for (WriterEntry each : entries) {
            if (each instanceof WriterEntry.Sound entry && entry.sessionNanos() == null && !entry.writer().equals(own)) {
                FirstSight sight = sight(entry, nowNanos);
                next.put(entry.writer(), sight);
                if (isSilent(sight, nowNanos)) {
                    silent.add(new ClockWrite.Prune(entry.writer(), entry.timeNanos()));
                }
            }
        }
        seen = next;
        return silent;
    }

    private FirstSight sight(WriterEntry.Sound entry, long nowNanos) {
        FirstSight known = seen.get(entry.writer());
        return known != null && known.timeNanos() == entry.timeNanos()
                ? known
                : new FirstSight(entry.timeNanos(), nowNanos);
    }

    private boolean isSilent(FirstSight sight, long nowNanos) {
        return SafeAfter.hasPassed(nowNanos, SafeAfter.nanos(sight.atNanos(), 0, SILENCE_NANOS, drift));
    }
}
