package dev.leasehold.mergequeue.queue;

/**
 * Who holds the resource.
 *
 * @param request the winner
 * @param token one greater than that of the hold before
 * @param acquiredNanos when it won
 */
public record Hold(PendingRequest request, long token, long acquiredNanos) {

    /** {@return the id of the holder} */
    public String headSha() {
        return request.headSha();
    }
}
