package dev.leasehold.mergequeue.queue;

/**
 * A request with its outcome, known until the retention is over.
 *
 * @param headSha its id
 * @param headRef its payload
 * @param priority its last priority
 * @param round in which it ended
 * @param status how it ended
 * @param winnerSha whose hold ended it; its own if it held, empty if there was no holder
 * @param token of that hold; 0 if there was no holder
 * @param endedNanos when it ended
 */
public record EndedRequest(
        String headSha,
        String headRef,
        long priority,
        long round,
        EndStatus status,
        String winnerSha,
        long token,
        long endedNanos) {

    static EndedRequest of(
            PendingRequest request, long round, EndStatus status, String winnerSha, long token, long now) {
        return new EndedRequest(
                request.headSha(), request.headRef(), request.priority(), round, status, winnerSha, token, now);
    }
}
