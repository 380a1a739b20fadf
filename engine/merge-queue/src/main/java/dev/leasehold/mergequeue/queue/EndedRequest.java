package dev.leasehold.mergequeue.queue;

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
        long endedNanos) {

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

    /** {@return the text by which it is known} */
    public String key() {
        return id.key();
    }
}
