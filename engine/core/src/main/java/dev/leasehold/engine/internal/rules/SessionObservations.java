package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;

/**
 * Until when the sessions of other writers certainly last no longer. Forgetting a writer is always safe: its session is
 * counted again from the next sight.
 */
final class SessionObservations {

    private final Drift drift;
    private final LruCache<FirstObservation> seen;
    private final LruCache<HeartbeatPredictor> forecasts;

    /**
     * Nothing seen yet.
     *
     * @param drift the largest rate error of any clock that takes part
     * @param limit how many writers are remembered, those touched last
     */
    SessionObservations(Drift drift, int limit) {
        this.drift = drift;
        this.seen = new LruCache<>(limit);
        this.forecasts = new LruCache<>(limit);
    }

    /**
     * Takes note of an entry that was read.
     *
     * @param beganNanos this engine's clock before the read
     * @param endedNanos this engine's clock after it
     * @return the instant on this engine's clock strictly after which the session has certainly run out, unless the entry
     *     shows a newer time by then; {@link ExpiryBound#NEVER} for a writer without a session
     */
    long safeAfterNanos(WriterEntry.Sound entry, long beganNanos, long endedNanos) {
        Long sessionNanos = entry.sessionNanos();
        if (sessionNanos == null) {
            return ExpiryBound.NEVER;
        }
        FirstObservation sight = FirstObservation.of(seen.look(entry.writer()), entry, endedNanos);
        seen.put(entry.writer(), sight);
        forecasts.put(
                entry.writer(),
                HeartbeatPredictor.of(forecasts.look(entry.writer()), entry, sessionNanos, beganNanos, endedNanos));
        return sight.safeAfterNanos(sessionNanos, drift);
    }

    /** When a look at a writer's entry is worthwhile, to see a next heartbeat soon; the end of time for one that was not seen. */
    long nextLookNanos(String writer, long nowNanos) {
        HeartbeatPredictor forecast = forecasts.use(writer);
        return forecast == null ? Long.MAX_VALUE : forecast.nextLookNanos(nowNanos);
    }
}
