package dev.leasehold.engine.internal.queue;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.Request;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to acquire a lease.
 *
 * @param acquire the acquire it is made for
 * @param lastPosition the last position that a refusal of it applies to
 * @param heard whether it began because its ticket was granted
 */
record AcquireAttempt(PendingAcquire acquire, long lastPosition, boolean heard, Submission submission) {

    /** Whether it began after the other acquire had arrived, so that a refusal applies to that one too. */
    boolean covers(PendingAcquire other) {
        return other.position() <= lastPosition;
    }

    /** Whether it began because the ticket with that stamp was granted. */
    boolean follows(long stampNanos) {
        Long ticketNanos = ticketNanos();
        return heard && ticketNanos != null && ticketNanos == stampNanos;
    }

    /** Whether it was granted without a write of its own: another engine has granted the lease to its ticket. */
    boolean wasHeard() {
        return intendedTenure() == null && ticketNanos() != null;
    }

    /** The stamp of the ticket that it was sent with; null if there was none. */
    private @Nullable Long ticketNanos() {
        return submission.operation().request() instanceof Request.Acquire request ? request.ticketNanos() : null;
    }

    /** The tenure it would be granted; null if no write was prepared. */
    @Nullable Tenure intendedTenure() {
        return submission.operation().intendedTenure();
    }

    LeaseException asLeaseException(@Nullable Throwable failure) {
        return failure instanceof LeaseException known
                ? known
                : new LeaseStoreException(
                        acquire.request().describe() + ": unexpected failure",
                        Objects.requireNonNull(failure, "no reply without a failure"));
    }

    /** The answer of an attempt: one of both. */
    record Answered(
            AcquireAttempt attempt,
            @Nullable OperationResult result,
            @Nullable Throwable failure) {

        /** What the caller of a pending acquire is told if the answer could not be passed on. */
        LeaseException untold(PendingAcquire acquire, LeaseException closed) {
            if (attempt.acquire() != acquire) {
                return closed;
            }
            if (result != null && result.tenure() != null) {
                return new LeaseOutcomeUnknownException(
                        attempt.acquire().request().describe() + " was carried out, and the engine failed right then",
                        closed,
                        CompletableFuture.completedFuture(result.toAnswer()));
            }
            return failure instanceof LeaseOutcomeUnknownException unknown ? unknown : closed;
        }
    }
}
