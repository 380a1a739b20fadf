package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;

/**
 * Bounds after which the sessions of other writers have certainly expired. Forgetting a writer is always safe: its
 * session is counted again from the next read.
 */
final class SessionObservations {

    private final Drift drift;
    private final LruCache<ObservedSession> sessions;

    private record ObservedSession(ObservedWriter writer, HeartbeatPredictor predictor) {}

    /** Keeps as many writers as the limit; the least recently used is dropped first. */
    SessionObservations(Drift drift, int limit) {
        this.drift = drift;
        this.sessions = new LruCache<>(limit);
    }

    /**
     * Records a read of an entry. Returns the instant on this engine's clock strictly after which the session has
     * certainly expired, unless the entry shows a newer time by then; {@link ExpiryBound#NEVER} without a session.
     */
    long safeAfterNanos(WriterEntry.Sound entry, long beganNanos, long endedNanos) {
        Long sessionNanos = entry.sessionNanos();
        if (sessionNanos == null) {
            return ExpiryBound.NEVER;
        }
        ObservedSession known = sessions.peek(entry.writer());
        ObservedWriter writer = ObservedWriter.after(known == null ? null : known.writer(), entry, endedNanos);
        HeartbeatPredictor predictor = HeartbeatPredictor.of(
                known == null ? null : known.predictor(), entry, sessionNanos, beganNanos, endedNanos);
        sessions.put(entry.writer(), new ObservedSession(writer, predictor));
        return writer.safeAfterNanos(sessionNanos, drift);
    }

    /** When to read a writer's entry again to see its next heartbeat soon; {@link Long#MAX_VALUE} if it was never read. */
    long nextLookNanos(String writer, long nowNanos) {
        ObservedSession known = sessions.get(writer);
        return known == null ? Long.MAX_VALUE : known.predictor().nextLookNanos(nowNanos);
    }
}
