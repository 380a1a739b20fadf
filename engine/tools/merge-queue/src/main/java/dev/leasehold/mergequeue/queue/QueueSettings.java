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

    /** How many outcomes are kept for each request that may wait or hold. Those that wait or hold are counted, too. */
    public static final int OUTCOMES_PER_REQUEST = 10;

    /**
     * How many requests may wait or hold at most, so that the document of a provider cannot reach the 16 MB that MongoDB allows. Its largest
     * entry is an outcome with its winner. It has two keys, each of three times {@link RequestId#LENGTH_MAX}, two branches of
     * {@link Payload#HEAD_REF_BYTES_MAX} and a name of {@link Requester#NAME_BYTES_MAX}; with numbers and names of fields that is 1,220
     * bytes. Ten thousand of them have 12.2 MB.
     */
    public static final int REQUESTS_MAX = 1_000;

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
