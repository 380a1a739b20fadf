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
    private final LruCache<ObservedWriter> observations;
    private final LruCache<HeartbeatPredictor> predictors;

    /** Keeps as many writers as the limit; the least recently used is dropped first. */
    SessionObservations(Drift drift, int limit) {
        this.drift = drift;
        this.observations = new LruCache<>(limit);
        this.predictors = new LruCache<>(limit);
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
        ObservedWriter observation = ObservedWriter.after(observations.peek(entry.writer()), entry, endedNanos);
        observations.put(entry.writer(), observation);
        predictors.put(
                entry.writer(),
                HeartbeatPredictor.of(predictors.peek(entry.writer()), entry, sessionNanos, beganNanos, endedNanos));
        return observation.safeAfterNanos(sessionNanos, drift);
    }

    /** When to read a writer's entry again to see its next heartbeat soon; {@link Long#MAX_VALUE} if it was never read. */
    long nextLookNanos(String writer, long nowNanos) {
        HeartbeatPredictor predictor = predictors.get(writer);
        return predictor == null ? Long.MAX_VALUE : predictor.nextLookNanos(nowNanos);
    }
}
