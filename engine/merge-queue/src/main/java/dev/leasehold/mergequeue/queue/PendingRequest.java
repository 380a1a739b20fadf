package dev.leasehold.mergequeue.queue;

import java.util.Comparator;

/**
 * A request that is known and has no outcome yet.
 *
 * @param headSha its id: the commit that the run is for
 * @param headRef its payload: the branch that the run is for
 * @param priority 1 and up; the highest wins
 * @param round in which it may win: the present one, or the next
 * @param sequence grows with each registration, so that the first of equal priority wins
 * @param seenNanos when it last polled
 * @param delayed how many of its qualifying polls were answered "pending" because of the delay
 */
public record PendingRequest(
        String headSha, String headRef, long priority, long round, long sequence, long seenNanos, int delayed) {

    /** Who is served first. */
    public static final Comparator<PendingRequest> ORDER = Comparator.comparingLong(PendingRequest::round)
            .thenComparing(Comparator.comparingLong(PendingRequest::priority).reversed())
            .thenComparingLong(PendingRequest::sequence);

    PendingRequest seen(long nowNanos) {
        return new PendingRequest(headSha, headRef, priority, round, sequence, nowNanos, delayed);
    }

    PendingRequest changed(String newRef, long newPriority, long newRound) {
        return new PendingRequest(headSha, newRef, newPriority, newRound, sequence, seenNanos, delayed);
    }

    PendingRequest inRound(long newRound) {
        return round == newRound
                ? this
                : new PendingRequest(headSha, headRef, priority, newRound, sequence, seenNanos, delayed);
    }

    PendingRequest delayedOnce() {
        return new PendingRequest(headSha, headRef, priority, round, sequence, seenNanos, delayed + 1);
    }
}
