package dev.leasehold.mergequeue.queue;

/**
 * A hold that is over, for people and meters.
 *
 * @param round in which it was
 * @param token its token
 * @param headSha who held
 * @param headRef the payload of the holder
 * @param priority of the holder
 * @param outcome how it ended
 * @param size how many requests the outcome was for, the holder included
 * @param heldNanos for how long it held
 * @param endedNanos when it ended
 */
public record EndedHold(
        long round,
        long token,
        String headSha,
        String headRef,
        long priority,
        EndStatus outcome,
        int size,
        long heldNanos,
        long endedNanos) {}
