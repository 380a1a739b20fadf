package dev.leasehold.mergequeue.queue;

/**
 * The settings of one provider.
 *
 * @param windowNanos how long the set of requests must not have changed before one of them wins
 * @param ttlNanos a request that was not seen for longer is dropped
 * @param expected with that many requests known none waits for the window; 1 and up
 * @param delay how many qualifying polls of each request are answered "pending" first
 * @param maximumHoldNanos past that the holder counts as failed; {@link #NO_MAXIMUM} for never
 * @param longHoldNanos past that a hold is unusually long, and warned of; {@link #NO_MAXIMUM} for never
 * @param afterFailure which may win next
 * @param newcomers to which round those belong that come while another one holds
 * @param tokenRequired whether a release must carry the token of its hold
 * @param retentionNanos for how long outcomes are known
 * @param requestsMax how many requests may wait or hold at a time; ten times as many outcomes are kept
 */
public record QueueSettings(
        long windowNanos,
        long ttlNanos,
        int expected,
        int delay,
        long maximumHoldNanos,
        long longHoldNanos,
        AfterFailure afterFailure,
        Newcomers newcomers,
        boolean tokenRequired,
        long retentionNanos,
        int requestsMax) {

    /** Of a holder that may hold for ever. */
    public static final long NO_MAXIMUM = Long.MAX_VALUE;

    private static final int OUTCOMES_PER_REQUEST = 10;

    int outcomesMax() {
        return requestsMax * OUTCOMES_PER_REQUEST;
    }

    /**
     * Tells whether a hold lasts for unusually long.
     *
     * @param heldNanos for how long it has lasted
     * @return whether that is worth a warning
     */
    public boolean isLongHold(long heldNanos) {
        return heldNanos > longHoldNanos;
    }
}
