package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire a lease, for one pending acquire. Ends by its deadline even if the database does not answer. Event loop only.
 *
 * <p>Sent; then ended once, by the answer, by {@link #cancel()}, or at the deadline: cancelled if it was not sent, of unknown outcome if it
 * can be detached, and otherwise by the answer, which is about to be delivered.
 */
final class AcquireAttempt {

    /** Called once with the outcome, unless the attempt was cancelled. */
    interface Listener {
        void onEnded(AcquireAttempt acquireAttempt, @Nullable OperationResult result, @Nullable LeaseException failure);
    }

    /** An answer that is being delivered arrives long before. */
    private static final long ANSWER_POLL_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final PendingAcquire acquire;
    private final long lastPosition;
    private final PendingOperation operation;
    private final Listener listener;
    private final Timer deadline;
    /** Why it was not sent; the failure may not have been reported yet. */
    private @Nullable Throwable notSent;

    private boolean over;

    /**
     * Not sent yet.
     *
     * @param acquire the acquire it is made for
     * @param lastPosition the last position that a refusal of it applies to
     */
    AcquireAttempt(LeaseContext context, PendingAcquire acquire, long lastPosition, Listener listener) {
        this.context = context;
        this.acquire = acquire;
        this.lastPosition = lastPosition;
        this.listener = listener;
        this.operation =
                context.operation(acquire.request(), Math.min(context.budgetEndNanos(), acquire.hardEndNanos()));
        this.deadline = context.loop().at(operation.deadlineNanos(), this::onDeadline);
    }

    void send() {
        try {
            context.submit(operation, this::answered);
        } catch (RuntimeException e) {
            // The engine may have accepted it all the same, and would carry it out without a caller.
            if (operation.cancel()) {
                notSent = e;
                context.loop().post(() -> answered(null, e));
            }
        }
    }

    PendingAcquire acquire() {
        return acquire;
    }

    /** The tenure it would be granted; null if no write was prepared. */
    @Nullable
    Tenure intendedTenure() {
        return operation.intendedTenure();
    }

    /** Whether it began after the other acquire had arrived, so that a refusal applies to that one too. */
    boolean covers(PendingAcquire other) {
        return other.position() <= lastPosition;
    }

    /** Cancels it if it cannot have taken effect: the listener is not called. */
    boolean cancel() {
        if (operation.cancel()) {
            end();
            return true;
        }
        return false;
    }

    private void onDeadline() {
        if (over) {
            return;
        }
        if (operation.cancel()) {
            end(null, operation.outOfTime());
        } else if (notSent != null) {
            end(null, asLeaseException(notSent));
        } else if (operation.detach()) {
            end(null, operation.unknown(null));
            operation.logUnknown(null);
        } else {
            awaitAnswer();
        }
    }

    /** The answer is being delivered, unless the delivery failed. */
    private void awaitAnswer() {
        context.loop().at(context.inNanos(ANSWER_POLL_NANOS), this::pollAnswer);
    }

    private void pollAnswer() {
        if (over) {
            return;
        }
        if (operation.answer().isDone()) {
            operation.answer().whenComplete(this::answered);
        } else {
            awaitAnswer();
        }
    }

    private void answered(@Nullable OperationResult result, @Nullable Throwable failure) {
        if (!over) {
            end(result, result == null ? asLeaseException(failure) : null);
        }
    }

    private void end(@Nullable OperationResult result, @Nullable LeaseException failure) {
        end();
        acquire.priorStatus(operation.priorStatus());
        listener.onEnded(this, result, failure);
    }

    private void end() {
        over = true;
        context.loop().cancel(deadline);
    }

    private LeaseException asLeaseException(@Nullable Throwable failure) {
        return failure instanceof LeaseException known
                ? known
                : new LeaseStoreException(
                        operation.request().describe() + ": unexpected failure",
                        Objects.requireNonNull(failure, "no reply without a failure"));
    }
}
