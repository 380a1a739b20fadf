package dev.leasehold.mergequeue.queue;

/**
 * A hold that is over, for people and meters.
 *
 * @param round in which it was
 * @param token its token
 * @param id which request held
 * @param payload of the holder
 * @param priority of the holder
 * @param outcome how it ended
 * @param size how many requests the outcome was for, the holder included
 * @param waitedNanos how long the holder had waited
 * @param heldNanos for how long it held
 * @param endedNanos when it ended
 */
public record EndedHold(
        long round,
        long token,
        RequestId id,
        Payload payload,
        long priority,
        EndStatus outcome,
        int size,
        long waitedNanos,
        long heldNanos,
        long endedNanos) {}
