package dev.leasehold.mergequeue.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request with its outcome, known until the retention is over.
 *
 * @param id which request
 * @param payload the branch and the pull request that the run was for
 * @param by the name of the credentials that registered it
 * @param priority its last priority; 0 if it was withdrawn before it registered
 * @param round in which it ended
 * @param status how it ended
 * @param winner whose hold ended it; itself if it held, null if there was no holder
 * @param winnerPayload of that
 * @param token of that hold; 0 if there was no holder
 * @param endedNanos when it ended
 * @param alsoWithdrawn other credentials that withdrew it before it registered, and when: its own may be among them
 */
public record EndedRequest(
        RequestId id,
        Payload payload,
        String by,
        long priority,
        long round,
        EndStatus status,
        @Nullable RequestId winner,
        @Nullable Payload winnerPayload,
        long token,
        long endedNanos,
        Map<String, Long> alsoWithdrawn) {

    /** Makes the map unmodifiable. */
    public EndedRequest {
        alsoWithdrawn = Collections.unmodifiableMap(new LinkedHashMap<>(alsoWithdrawn));
    }

    /** One that no other credentials withdrew. */
    public EndedRequest(
            RequestId id,
            Payload payload,
            String by,
            long priority,
            long round,
            EndStatus status,
            @Nullable RequestId winner,
            @Nullable Payload winnerPayload,
            long token,
            long endedNanos) {
        this(id, payload, by, priority, round, status, winner, winnerPayload, token, endedNanos, Map.of());
    }

    static EndedRequest of(PendingRequest request, long round, EndStatus status, @Nullable Hold hold, long now) {
        return new EndedRequest(
                request.id(),
                request.payload(),
                request.by(),
                request.priority(),
                round,
                status,
                hold == null ? null : hold.request().id(),
                hold == null ? null : hold.request().payload(),
                hold == null ? 0 : hold.token(),
                now);
    }

    /** When those credentials withdrew it, or it ended in their name; null if neither. */
    @Nullable Long withdrawnNanos(String name) {
        return by.equals(name) ? (Long) endedNanos : alsoWithdrawn.get(name);
    }

    /** When it ended, or was withdrawn for the last time. */
    long lastNanos() {
        return alsoWithdrawn.values().stream().reduce(endedNanos, Math::max);
    }

    EndedRequest alsoWithdrawn(String name, long nanos) {
        Map<String, Long> all = new LinkedHashMap<>(alsoWithdrawn);
        all.put(name, nanos);
        return new EndedRequest(
                id, payload, by, priority, round, status, winner, winnerPayload, token, endedNanos, all);
    }

    /** {@return the text by which it is known} */
    public String key() {
        return id.key();
    }
}
