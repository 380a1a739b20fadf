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
 * One try to acquire a lease, made by one of those who wait for it. Ends in time, also when the database is silent. Of the agenda's
 * thread alone.
 */
final class AcquireAttempt {

    /** Hears once how it has ended. */
    interface Listener {
        void onEnded(AcquireAttempt acquireAttempt, @Nullable OperationResult result, @Nullable LeaseException failure);
    }

    /** An answer that is being told is here long before. */
    private static final long ON_ITS_WAY_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final PendingAcquire acquire;
    private final long lastPosition;
    private final PendingOperation operation;
    private final Listener listener;
    private final Timer timeOver;
    /** Why it certainly comes to nothing, which may not have been told yet. */
    private @Nullable Throwable notSent;

    private boolean over;

    /**
     * Sends nothing yet.
     *
     * @param acquire who makes it
     * @param lastPlace the last of those who had arrived before it, for all of whom it looks
     */
    AcquireAttempt(LeaseContext context, PendingAcquire acquire, long lastPlace, Listener listener) {
        this.context = context;
        this.acquire = acquire;
        this.lastPosition = lastPlace;
        this.listener = listener;
        this.operation =
                context.operation(acquire.request(), Math.min(context.budgetEndNanos(), acquire.hardEndNanos()));
        this.timeOver = context.loop().at(operation.deadlineNanos(), this::timeOver);
    }

    void send() {
        try {
            context.submit(operation, this::answered);
        } catch (RuntimeException e) {
            // It may have been taken on all the same, and would be carried out for nobody.
            if (operation.cancel()) {
                notSent = e;
                context.loop().post(() -> answered(null, e));
            }
        }
    }

    PendingAcquire acquire() {
        return acquire;
    }

    /** What it would be granted; null where it came to nothing that could be. */
    @Nullable Tenure intendedTenure() {
        return operation.intendedTenure();
    }

    /** Whether it began after somebody had arrived, so that its refusal answers that one too. */
    boolean covers(PendingAcquire other) {
        return other.position() <= lastPosition;
    }

    /** Ends it with certainty, if that is possible yet: nothing happens, and nobody is told. */
    boolean cancel() {
        if (operation.cancel()) {
            end();
            return true;
        }
        return false;
    }

    private void timeOver() {
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

    /** It is on its way here, unless it could not be passed on. */
    private void awaitAnswer() {
        context.loop().at(context.inNanos(ON_ITS_WAY_NANOS), this::pollAnswer);
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
        context.loop().cancel(timeOver);
    }

    private LeaseException asLeaseException(@Nullable Throwable failure) {
        return failure instanceof LeaseException known
                ? known
                : new LeaseStoreException(
                        operation.request().describe() + ": unexpected failure",
                        Objects.requireNonNull(failure, "no reply without a failure"));
    }
}
