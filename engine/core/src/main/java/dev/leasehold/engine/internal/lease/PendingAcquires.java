package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.LogContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for one lease, in the order in which they came, each of them until it is answered: once, and counted. Of the agenda's
 * thread alone.
 */
final class PendingAcquires {

    private static final Logger LOG = LoggerFactory.getLogger(PendingAcquires.class);

    private final LeaseContext context;
    private final Runnable went;
    private final Set<PendingAcquire> waiting = new LinkedHashSet<>();
    private long arrived;

    /**
     * Nobody.
     *
     * @param went hears of each who waits no longer
     */
    PendingAcquires(LeaseContext context, Runnable went) {
        this.context = context;
        this.went = went;
    }

    void add(PendingAcquire acquire) {
        acquire.enqueuedAt(++arrived);
        waiting.add(acquire);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean has(PendingAcquire acquire) {
        return waiting.contains(acquire);
    }

    /** As they are now: answering one of them changes nothing in it. */
    List<PendingAcquire> all() {
        return List.copyOf(waiting);
    }

    /** The place of the last who came. */
    long lastPosition() {
        return arrived;
    }

    /** Who makes the next attempt. There must be somebody. */
    PendingAcquire next() {
        for (PendingAcquire acquire : waiting) {
            if (acquire.maySupersede()) {
                return acquire;
            }
        }
        return waiting.iterator().next();
    }

    /** Those who want it for that holder. */
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

    void grant(PendingAcquire taker, LeaseHandle handle) {
        answer(taker, OperationOutcome.GRANTED, () -> taker.granted(handle));
    }

    void fail(PendingAcquire acquire, LeaseException failure) {
        answer(acquire, OperationOutcome.of(failure), () -> acquire.result().completeExceptionally(failure));
    }

    /** Its time is over: it is told what it was told last. */
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

    /** Those whose alarm has rung while an answer was on its way: it does not ring again. */
    void endOverdue() {
        all().stream()
                .filter(acquire -> context.nowNanos() >= acquire.hardEndNanos())
                .forEach(this::end);
    }

    /** Its caller went. */
    void cancel(PendingAcquire acquire) {
        answer(acquire, OperationOutcome.INTERRUPTED, () -> acquire.result().cancel(false));
    }

    /** Who was removed must be answered: nobody else would do it any more. */
    private void answer(PendingAcquire acquire, OperationOutcome operationOutcome, Runnable answer) {
        try {
            remove(acquire, operationOutcome);
        } finally {
            answer.run();
        }
    }

    private void remove(PendingAcquire acquire, OperationOutcome operationOutcome) {
        waiting.remove(acquire);
        went.run();
        if (acquire.timer() != null) {
            context.loop().cancel(acquire.timer());
        }
        context.metrics()
                .record(new OperationEnded(
                        acquire.request().kind(),
                        acquire.name(),
                        operationOutcome,
                        acquire.priorStatus(),
                        context.nowNanos() - acquire.arrivedNanos()));
    }
}
