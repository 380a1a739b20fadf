package dev.leasehold.mergequeue.queue;

import java.util.Comparator;
import java.util.OptionalLong;

/**
 * A request that is known and has no outcome yet.
 *
 * @param id which request
 * @param payload the branch and the pull request that the run is for
 * @param by the name of the credentials that registered it
 * @param priority 1 and up; the highest wins
 * @param round in which it may win: the present one, or the next
 * @param sequence grows with each registration, so that the first of equal priority wins
 * @param registeredNanos when it registered
 * @param seenNanos when it last polled
 * @param delayed how many of its qualifying polls were answered "pending" because of the delay
 */
public record PendingRequest(
        RequestId id,
        Payload payload,
        String by,
        long priority,
        long round,
        long sequence,
        long registeredNanos,
        long seenNanos,
        int delayed) {

    /** Which is served first. */
    public static final Comparator<PendingRequest> ORDER = Comparator.comparingLong(PendingRequest::round)
            .thenComparing(Comparator.comparingLong(PendingRequest::priority).reversed())
            .thenComparingLong(PendingRequest::sequence);

    /** {@return the text by which it is known} */
    public String key() {
        return id.key();
    }

    /** {@return the commit that the run is for} */
    public String headSha() {
        return id.headSha();
    }

    /** {@return the branch that the run is for} */
    public String headRef() {
        return payload.headRef();
    }

    /** {@return the number of the pull request that the run is for} */
    public OptionalLong pullRequest() {
        return payload.pullRequest();
    }

    PendingRequest seen(long nowNanos) {
        return new PendingRequest(id, payload, by, priority, round, sequence, registeredNanos, nowNanos, delayed);
    }

    PendingRequest changed(Payload newPayload, long newPriority, long newRound) {
        return new PendingRequest(
                id, newPayload, by, newPriority, newRound, sequence, registeredNanos, seenNanos, delayed);
    }

    PendingRequest inRound(long newRound) {
        return round == newRound
                ? this
                : new PendingRequest(
                        id, payload, by, priority, newRound, sequence, registeredNanos, seenNanos, delayed);
    }

    PendingRequest delayedOnce() {
        return new PendingRequest(id, payload, by, priority, round, sequence, registeredNanos, seenNanos, delayed + 1);
    }
}
