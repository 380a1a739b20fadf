package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.LogContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pending acquires of one lease in arrival order. Each is answered, measured and removed exactly once. Event loop only. */
final class PendingAcquires {

    private static final Logger LOG = LoggerFactory.getLogger(PendingAcquires.class);

    private final LeaseContext context;
    private final Runnable onRemoved;
    private final Set<PendingAcquire> waiting = new LinkedHashSet<>();
    private long arrivals;

    /**
     * An empty list.
     *
     * @param onRemoved runs for each acquire that is removed
     */
    PendingAcquires(LeaseContext context, Runnable onRemoved) {
        this.context = context;
        this.onRemoved = onRemoved;
    }

    void add(PendingAcquire acquire) {
        acquire.enqueuedAt(++arrivals);
        waiting.add(acquire);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean has(PendingAcquire acquire) {
        return waiting.contains(acquire);
    }

    /** A copy, which stays the same while acquires are answered. */
    List<PendingAcquire> all() {
        return List.copyOf(waiting);
    }

    /** The position of the last arrival. */
    long lastPosition() {
        return arrivals;
    }

    /** The acquire for the next attempt: the first that may supersede, else the first. Must not be empty. */
    PendingAcquire next() {
        for (PendingAcquire acquire : waiting) {
            if (acquire.maySupersede()) {
                return acquire;
            }
        }
        return waiting.iterator().next();
    }

    /** The acquires of that holder. */
    List<PendingAcquire> of(String holder) {
        return waiting.stream()
                .filter(acquire -> acquire.holder().equals(holder))
                .toList();
    }

    boolean anyAttempted() {
        return waiting.stream().anyMatch(PendingAcquire::wasAttempted);
    }

    boolean allAttempted() {
        return waiting.stream().allMatch(PendingAcquire::wasAttempted);
    }

    // ---- answers ----

    void grant(PendingAcquire acquire, LeaseHandle handle) {
        answer(acquire, OperationOutcome.GRANTED, () -> acquire.granted(handle));
    }

    void fail(PendingAcquire acquire, LeaseException failure) {
        answer(acquire, OperationOutcome.of(failure), () -> acquire.result().completeExceptionally(failure));
    }

    /** Its wait has ended: answers with the last refusal or failure. */
    void end(PendingAcquire acquire) {
        String namespace = context.settings().namespace();
        Refusal refusal = acquire.refusal(namespace);
        if (refusal == null) {
            fail(acquire, acquire.failure(namespace));
        } else {
            answer(
                    acquire,
                    OperationOutcome.REFUSED,
                    () -> acquire.result().complete(new Acquisition.NotAcquired(refusal)));
            LOG.debug("{}: {}", LogContext.of(namespace, acquire.request()), refusal.message());
        }
    }

    /** Ends the acquires whose hard-end timer fired while their attempt was unanswered: it does not fire again. */
    void endOverdue() {
        all().stream()
                .filter(acquire -> context.nowNanos() >= acquire.hardEndNanos())
                .forEach(this::end);
    }

    /** The caller cancelled. */
    void cancel(PendingAcquire acquire) {
        answer(acquire, OperationOutcome.INTERRUPTED, () -> acquire.result().cancel(false));
    }

    /** A removed acquire must be answered here, even if the removal throws: nothing else refers to it any more. */
    private void answer(PendingAcquire acquire, OperationOutcome operationOutcome, Runnable answer) {
        try {
            remove(acquire, operationOutcome);
        } finally {
            answer.run();
        }
    }

    private void remove(PendingAcquire acquire, OperationOutcome operationOutcome) {
        waiting.remove(acquire);
        onRemoved.run();
        if (acquire.timer() != null) {
            context.loop().cancel(acquire.timer());
        }
        context.operations()
                .measure(acquire.request(), operationOutcome, acquire.priorStatus(), acquire.arrivedNanos());
    }
}
