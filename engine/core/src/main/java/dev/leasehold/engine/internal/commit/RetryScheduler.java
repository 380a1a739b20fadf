package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.RetryWindow;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Schedules the next attempt of operations whose writes did not land, and limits how many share it. Engine thread only.
 *
 * <p>After a conflict, a batch is sent so that the contended document shows. If it is the clock, the operations wait
 * together for the time that {@link ContentionBackoff} gives. If it is a lease, the batch is halved and retried at once,
 * until the conflict delays only the operation on that lease.
 */
final class RetryScheduler {

    private final PartitionContext context;
    private final Runnable nextRound;
    private final ContentionBackoff contentionBackoff = new ContentionBackoff();

    RetryScheduler(PartitionContext context, Runnable nextRound) {
        this.context = context;
        this.nextRound = nextRound;
    }

    /**
     * Estimates the contention on the clock document from conflicts, and gives the wait after one.
     *
     * <p>Each conflict raises the level by one and each committed transaction lowers it by one, so it settles where half
     * of the attempts fail. The level outlasts the operations: a new operation under contention waits long from its first
     * conflict on. An operation that has failed more often waits less, so that none is overtaken for ever. If one still
     * fails after many attempts, contention is not the reason, and it waits longest.
     */
    static final class ContentionBackoff {

        private static final int LEVEL_MAX = 8;
        private static final int CONTENTION_FAILURES_MAX = 10;

        private int level;

        /** A transaction met a conflict that may have been on the clock. */
        void conflicted() {
            level = Math.min(level + 1, LEVEL_MAX);
        }

        void committed() {
            level = Math.max(level - 1, 0);
        }

        /**
         * The longest wait after a conflict. Call it after {@link #conflicted}.
         *
         * @param failures of the operation that failed most often, 1 or more
         */
        long windowNanos(int failures) {
            return Backoff.windowNanos(
                    failures > CONTENTION_FAILURES_MAX ? failures : Math.max(1, level - failures / 2));
        }
    }

    /** The first miss usually means that the cache was out of date: retry at once. A repeated miss means contention. */
    void afterMiss(List<PendingOperation> operations) {
        for (PendingOperation operation : operations) {
            RetryState retryState = operation.retryState();
            retryState.failed(new LeaseContentionException(
                    operation.request().describe() + ": another engine wrote the lease first", null));
            retryState.mustRead(true);
        }
        park(
                operations.stream()
                        .filter(operation -> operation.retryState().failures() > 1)
                        .toList(),
                Backoff::windowNanos);
    }

    /** A refused statement fails the whole transaction and is not named. So each operation is retried alone. */
    void afterRefusal(List<PendingOperation> operations, LeaseException cause) {
        if (operations.size() == 1) {
            operations.get(0).fail(cause);
        } else {
            operations.forEach(operation -> operation.retryState().alone(cause));
        }
    }

    /** The conflict may be on the clock, where smaller transactions only add contention. So the batch is not split. */
    void afterConflict(List<PendingOperation> operations, LeaseException conflict) {
        contentionBackoff.conflicted();
        operations.forEach(operation -> operation.retryState().conflicted(conflict));
        park(operations, contentionBackoff::windowNanos);
    }

    /** Another process is writing one of the leases. Halving finds it, without a wait, so that no other is delayed. */
    void afterLeaseConflict(List<PendingOperation> operations, LeaseException conflict) {
        if (operations.size() == 1) {
            operations.get(0).retryState().conflicted(conflict);
            park(operations, Backoff::windowNanos);
        } else {
            operations.forEach(operation -> operation.retryState().halved(conflict, operations.size()));
        }
    }

    void afterOutage(List<PendingOperation> operations, LeaseException failure) {
        operations.forEach(operation -> operation.retryState().failed(failure));
        park(operations, failures -> RetryWindow.nanos(failures, failure));
    }

    void committed() {
        contentionBackoff.committed();
    }

    /** Parks the operations for one common random time, so that they can share the next transaction too. */
    private void park(List<PendingOperation> operations, IntToLongFunction windowNanos) {
        if (operations.isEmpty()) {
            return;
        }
        int failures = 0;
        for (PendingOperation operation : operations) {
            operation.retryState().parked(true);
            failures = Math.max(failures, operation.retryState().failures());
        }
        long pauseNanos = context.runtime().randomNanos(windowNanos.applyAsLong(failures));
        context.thread().executeAfter(pauseNanos, () -> {
            operations.forEach(operation -> operation.retryState().parked(false));
            // Queued behind the tasks that are due, so that all these operations share one round.
            context.thread().execute(nextRound);
        });
    }
}
