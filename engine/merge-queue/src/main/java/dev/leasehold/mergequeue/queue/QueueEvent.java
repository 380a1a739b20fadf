package dev.leasehold.mergequeue.queue;

import java.util.OptionalLong;

/** What happens to a queue. */
public sealed interface QueueEvent {

    /**
     * A run registers, or polls.
     *
     * @param headSha its id
     * @param headRef its payload
     * @param priority 1 and up
     */
    record Acquire(String headSha, String headRef, long priority) implements QueueEvent {}

    /**
     * A run says how its work ended.
     *
     * @param headSha its id
     * @param status what it asks for
     * @param token of its hold; empty for whichever it has
     */
    record Release(String headSha, AskedStatus status, OptionalLong token) implements QueueEvent {}

    /** An administrator clears the queue. */
    record Clear() implements QueueEvent {}

    /** Nothing but the time goes on. */
    record Tick() implements QueueEvent {}
}
