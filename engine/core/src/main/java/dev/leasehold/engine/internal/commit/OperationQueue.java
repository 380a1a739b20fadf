package dev.leasehold.engine.internal.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
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

    void add(PendingOperation operation) {
        arrivals.add(operation);
    }

    /** The operations of the next round, at most one per lease. They stay in the queue until they are over. */
    List<PendingOperation> nextBatch() {
        moveArrivals();
        List<PendingOperation> batch = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int limit = BATCH_LIMIT;
        for (PendingOperation operation : waiting) {
            int shared = Math.min(limit, operation.retryState().batchLimit());
            // An earlier operation on the same lease goes first, even while it is parked.
            if (names.add(operation.name()) && !operation.retryState().isParked() && batch.size() < shared) {
                batch.add(operation);
                limit = shared;
            }
        }
        return batch;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && arrivals.isEmpty();
    }

    /** Applies the action to every operation that is not over, and removes those that are over afterwards. */
    void sweep(Consumer<PendingOperation> action) {
        moveArrivals();
        for (Iterator<PendingOperation> each = waiting.iterator(); each.hasNext(); ) {
            PendingOperation operation = each.next();
            if (!operation.isOver()) {
                action.accept(operation);
            }
            if (operation.isOver()) {
                each.remove();
            }
        }
    }

    private void moveArrivals() {
        for (PendingOperation next = arrivals.poll(); next != null; next = arrivals.poll()) {
            waiting.add(next);
        }
    }
}
