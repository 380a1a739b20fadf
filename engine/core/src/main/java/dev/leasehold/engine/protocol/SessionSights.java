package dev.leasehold.engine.protocol;

import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.SafeAfter;
import java.util.Map;

/**
 * Until when the sessions of other writers certainly last no longer. Forgetting a writer is always safe: its session is
 * counted again from the next sight.
 */
final class SessionSights {

    private final Drift drift;
    private final Map<String, FirstSight> seen;

    /**
     * Nothing seen yet.
     *
     * @param drift the largest rate error of any clock that takes part
     * @param limit how many writers are remembered, those touched last
     */
    SessionSights(Drift drift, int limit) {
        this.drift = drift;
        this.seen = new Recent<>(limit);
    }

    /**
     * Takes note of an entry that was read.
     *
     * @return the instant on this engine's clock strictly after which the session has certainly run out, unless the entry
     *     shows a newer time by then; {@link SafeAfter#NEVER} for a writer without a session
     */
    long safeAfterNanos(WriterEntry.Sound entry, long nowNanos) {
        Long sessionNanos = entry.sessionNanos();
        if (sessionNanos == null) {
            return SafeAfter.NEVER;
        }
        FirstSight sight = FirstSight.of(seen.get(entry.writer()), entry, nowNanos);
        seen.put(entry.writer(), sight);
        return sight.safeAfterNanos(sessionNanos, drift);
    }
}
