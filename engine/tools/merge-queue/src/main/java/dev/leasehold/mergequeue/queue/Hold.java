package dev.leasehold.mergequeue.queue;

/**
 * Which request holds the resource.
 *
 * @param request the winner
 * @param token greater than that of each hold before
 * @param acquiredNanos when it won
 */
public record Hold(PendingRequest request, long token, long acquiredNanos) {

    /** {@return the text by which the holder is known} */
    public String key() {
        return request.key();
    }

    /** {@return the commit of the holder} */
    public String headSha() {
        return request.headSha();
    }
}
