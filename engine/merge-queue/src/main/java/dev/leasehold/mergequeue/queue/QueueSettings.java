package dev.leasehold.mergequeue.queue;

/**
 * The settings of one provider.
 *
 * @param windowNanos how long the set of requests must not have changed before somebody wins
 * @param ttlNanos a request that was not seen for longer is dropped
 * @param expected with that many requests known nobody waits for the window; 1 and up
 * @param delay how many qualifying polls of each request are answered "pending" first
 * @param maximumHoldNanos past that the holder counts as failed; {@link #NO_MAXIMUM} for never
 * @param afterFailure who may win next
 * @param retentionNanos for how long outcomes are known
 * @param requestsMax how many requests may wait or hold at a time; ten times as many outcomes are kept
 */
public record QueueSettings(
        long windowNanos,
        long ttlNanos,
        int expected,
        int delay,
        long maximumHoldNanos,
        AfterFailure afterFailure,
        long retentionNanos,
        int requestsMax) {

    /** Of a holder that may hold for ever. */
    public static final long NO_MAXIMUM = Long.MAX_VALUE;

    private static final int OUTCOMES_PER_REQUEST = 10;

    int outcomesMax() {
        return requestsMax * OUTCOMES_PER_REQUEST;
    }
}
