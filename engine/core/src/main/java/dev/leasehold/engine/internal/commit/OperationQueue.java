package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.internal.rules.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Pending operations in the order of their arrival. Any thread adds; only the engine thread takes. */
final class OperationQueue {

    /**
     * The largest number of operations in one transaction. Failures lower it for an operation, see {@link RetryState}.
     */
    static final int BATCH_LIMIT = 512;

    private final Queue<PendingOperation> arrivals = new ConcurrentLinkedQueue<>();
    private final Set<PendingOperation> waiting = new LinkedHashSet<>();
    private long lastTurn;
    /** Whether the last batch had renewals only, although others were ready. */
    private boolean othersWait;

    void add(PendingOperation operation) {
        arrivals.add(operation);
    }

    /**
     * The operations of the next round, at most one per lease. They stay in the queue until they are over. Of each lease a release goes first:
     * others would wait behind it for a lease that it ends. A renewal is next, since its time is short. What was taken before and is not over stands
     * behind all that arrived or was taken earlier: a lease that is blocked for long would else be the only one tried, since its operation goes
     * alone. Where anything is tried again, renewals share with renewals only: what comes of the others, a miss or a caller that leaves, would cost
     * them one more try. They go first, but the next round is that of the others: if each try takes as long as the pause between two, the others
     * would never be tried.
     */
    List<PendingOperation> nextBatch() {
        moveArrivals();
        List<PendingOperation> ready = readyInTurn();
        boolean others = !ready.stream().allMatch(OperationQueue::isRenewal);
        boolean apart = ready.stream().anyMatch(OperationQueue::isTriedAgain);
        boolean renewals = apart && ready.stream().anyMatch(OperationQueue::isRenewal) && !(others && othersWait);
        othersWait = renewals && others;
        List<PendingOperation> batch = new ArrayList<>();
        int limit = BATCH_LIMIT;
        for (PendingOperation operation : ready) {
            int shared = Math.min(limit, operation.retryState().batchLimit());
            if (batch.size() < shared && (!apart || isRenewal(operation) == renewals)) {
                batch.add(operation);
                limit = shared;
            }
        }
        batch.forEach(operation -> operation.retryState().turn(++lastTurn));
        return batch;
    }

    private List<PendingOperation> readyInTurn() {
        Map<String, PendingOperation> firsts = new HashMap<>();
        for (PendingOperation operation : waiting) {
            firsts.merge(operation.name(), operation, OperationQueue::first);
        }
        // The first operation of a lease keeps the others of that lease back, even while it is parked.
        return firsts.values().stream()
                .filter(operation -> !operation.retryState().isParked())
                .sorted(Comparator.comparingLong(
                        operation -> operation.retryState().turn()))
                .toList();
    }

    private static boolean isRenewal(PendingOperation operation) {
        return operation.request() instanceof Request.Extend extend && extend.renewal();
    }

    private static boolean isTriedAgain(PendingOperation operation) {
        return operation.retryState().lastFailure() != null;
    }

    private static PendingOperation first(PendingOperation earlier, PendingOperation later) {
        return rank(later) < rank(earlier) ? later : earlier;
    }

    private static int rank(PendingOperation operation) {
        Request request = operation.request();
        return request instanceof Request.Release ? 0 : request instanceof Request.Extend ? 1 : 2;
    }

    /** Ends the pauses of renewals that met a conflict or missed, and returns whether there was one. */
    boolean unparkRenewals() {
        List<RetryState> parked = waiting.stream()
                .filter(OperationQueue::isRenewal)
                .map(PendingOperation::retryState)
                .filter(retries -> retries.isParked() && retries.lastFailure() instanceof LeaseContentionException)
                .toList();
        parked.forEach(retries -> retries.parked(false));
        return !parked.isEmpty();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && arrivals.isEmpty();
    }

    /** Applies the action to every operation that is not over, and removes those that are over afterwards. */
    void sweep(Consumer<PendingOperation> action) {
        moveArrivals();
        waiting.removeIf(operation -> {
            if (!operation.isOver()) {
                action.accept(operation);
            }
            return operation.isOver();
        });
    }

    private void moveArrivals() {
        for (PendingOperation next = arrivals.poll(); next != null; next = arrivals.poll()) {
            next.retryState().turn(++lastTurn);
            waiting.add(next);
        }
    }
}
