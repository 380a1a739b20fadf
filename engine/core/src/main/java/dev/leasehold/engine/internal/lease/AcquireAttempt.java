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
 * <p>Sent; then ended once, by the answer or by {@link #cancel()}. At the deadline the operation times out, which is an answer too.
 */
final class AcquireAttempt {

    /** Called once with the outcome, unless the attempt was cancelled. */
    interface Listener {
        void onEnded(AcquireAttempt acquireAttempt, @Nullable OperationResult result, @Nullable LeaseException failure);
    }

    /** An answer that is being delivered at the deadline arrives long before, unless its delivery failed. */
    private static final long ANSWER_POLL_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final PendingAcquire acquire;
    private final long lastPosition;
    private final PendingOperation operation;
    private final Listener listener;
    private Timer deadline;
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
        this.operation = new PendingOperation(
                context.settings().namespace(),
                acquire.request(),
                Math.min(context.operations().deadlineNanos(), acquire.hardEndNanos()));
        this.deadline = context.loop().at(operation.deadlineNanos(), this::onDeadline);
    }

    void send() {
        context.submit(operation, this::answered);
    }

    PendingAcquire acquire() {
        return acquire;
    }

    /** The tenure it would be granted; null if no write was prepared. */
    @Nullable Tenure intendedTenure() {
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
        operation.timeOut();
        deadline = context.loop().at(context.inNanos(ANSWER_POLL_NANOS), this::pollAnswer);
    }

    private void pollAnswer() {
        if (operation.answer().isDone()) {
            operation.answer().whenComplete(this::answered);
        } else {
            onDeadline();
        }
    }

    private void answered(@Nullable OperationResult result, @Nullable Throwable failure) {
        if (!over) {
            end();
            acquire.priorStatus(operation.priorStatus());
            listener.onEnded(this, result, result == null ? asLeaseException(failure) : null);
        }
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
