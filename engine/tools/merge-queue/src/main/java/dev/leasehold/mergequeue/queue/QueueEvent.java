package dev.leasehold.mergequeue.queue;

import java.util.OptionalLong;

/** What happens to a queue. */
public sealed interface QueueEvent {

    /**
     * A run registers, or polls.
     *
     * @param id which request
     * @param payload the branch and the pull request that the run is for
     * @param priority 1 and up
     * @param requester in whose name
     */
    record Acquire(RequestId id, Payload payload, long priority, Requester requester) implements QueueEvent {}

    /**
     * A run says how its work ended.
     *
     * @param id which request
     * @param status what it asks for
     * @param token of its hold; empty for whichever it has
     * @param requester in whose name
     */
    record Release(RequestId id, AskedStatus status, OptionalLong token, Requester requester) implements QueueEvent {}

    /**
     * A run was cancelled: it waits no more, and if it was granted the resource it does not use it.
     *
     * @param id which request
     * @param token of its hold, if it knows one
     * @param requester in whose name
     */
    record Withdraw(RequestId id, OptionalLong token, Requester requester) implements QueueEvent {}

    /** An administrator clears the queue. */
    record Clear() implements QueueEvent {}

    /** Nothing but the time goes on. */
    record Tick() implements QueueEvent {}
}
