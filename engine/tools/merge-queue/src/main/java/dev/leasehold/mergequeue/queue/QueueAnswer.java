package dev.leasehold.mergequeue.queue;

import java.util.List;

/** What a caller is told. */
public sealed interface QueueAnswer {

    /**
     * It has to wait.
     *
     * @param request how it is known
     * @param place 1 for the one that is next, counted over all that wait
     * @param waitsFor what keeps it
     */
    record Pending(PendingRequest request, int place, Wait waitsFor) implements QueueAnswer {}

    /**
     * It holds the resource.
     *
     * @param hold with the token
     * @param stacked the requests of its round with a lower priority, highest first
     */
    record Acquired(Hold hold, List<PendingRequest> stacked) implements QueueAnswer {}

    /**
     * It has an outcome.
     *
     * @param request how it ended
     */
    record Ended(EndedRequest request) implements QueueAnswer {}

    /**
     * No, and nothing has changed.
     *
     * @param rule which rule says so
     * @param message what was found
     */
    record Refused(Rule rule, String message) implements QueueAnswer {}

    /**
     * The queue was cleared.
     *
     * @param requests how many were told, the holder included
     */
    record Cleared(int requests) implements QueueAnswer {}

    /** The time has gone on. */
    record Ticked() implements QueueAnswer {}

    /** What a request waits for. */
    enum Wait {
        /** Until the set of requests has settled. */
        SETTLING,
        /** Others are to be served first. */
        PRIORITY,
        /** Until the holder is done. */
        HOLDER,
        /** Until the round that it came too late for is over. */
        ROUND,
        /** It qualifies, and is delayed by the setting. */
        DELAY
    }
}
