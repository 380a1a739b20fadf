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
    private final LruCache<FirstObservation> observations;
    private final LruCache<HeartbeatPredictor> predictors;

    /**
     * Without observations.
     *
     * @param drift the largest rate error of any clock that takes part
     * @param limit how many writers are kept; the least recently used is dropped first
     */
    SessionObservations(Drift drift, int limit) {
        this.drift = drift;
        this.observations = new LruCache<>(limit);
        this.predictors = new LruCache<>(limit);
    }

    /**
     * Records a read of an entry.
     *
     * @param beganNanos this engine's clock before the read
     * @param endedNanos this engine's clock after it
     * @return the instant on this engine's clock strictly after which the session has certainly expired, unless the
     *     entry shows a newer time by then; {@link ExpiryBound#NEVER} for a writer without a session
     */
    long safeAfterNanos(WriterEntry.Sound entry, long beganNanos, long endedNanos) {
        Long sessionNanos = entry.sessionNanos();
        if (sessionNanos == null) {
            return ExpiryBound.NEVER;
        }
        FirstObservation observation = FirstObservation.of(observations.peek(entry.writer()), entry, endedNanos);
        observations.put(entry.writer(), observation);
        predictors.put(
                entry.writer(),
                HeartbeatPredictor.of(predictors.peek(entry.writer()), entry, sessionNanos, beganNanos, endedNanos));
        return observation.safeAfterNanos(sessionNanos, drift);
    }

    /**
     * When to read a writer's entry again to see its next heartbeat soon; {@link Long#MAX_VALUE} if it was never read.
     */
    long nextLookNanos(String writer, long nowNanos) {
        HeartbeatPredictor predictor = predictors.get(writer);
        return predictor == null ? Long.MAX_VALUE : predictor.nextLookNanos(nowNanos);
    }
}
