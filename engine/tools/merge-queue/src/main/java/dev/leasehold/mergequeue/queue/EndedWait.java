package dev.leasehold.mergequeue.queue;

/**
 * A wait that is over, for meters.
 *
 * @param outcome how it ended
 * @param waitedNanos since the request registered
 */
public record EndedWait(Outcome outcome, long waitedNanos) {

    /** How a wait ends. */
    public enum Outcome {
        /** The request holds now. */
        ACQUIRED,
        /** Another one did the work. */
        COMPLETED,
        /** Its run was cancelled. */
        WITHDRAWN,
        /** An administrator cleared the queue. */
        CLEARED,
        /** It did not poll for longer than the TTL. */
        DROPPED
    }
}
