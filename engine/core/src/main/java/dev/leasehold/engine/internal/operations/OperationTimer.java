package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.time.EngineClock;

/** Measures what callers are told, and how long they waited for it. Safe for many threads. */
public final class OperationTimer {

    private final EngineClock clock;
    private final EngineMetrics metrics;

    public OperationTimer(EngineClock clock, EngineMetrics metrics) {
        this.clock = clock;
        this.metrics = metrics;
    }

    /** A caller's wait for an answer. */
    interface Wait {
        OperationResult forReplyTo(PendingOperation operation) throws InterruptedException;
    }

    OperationResult around(PendingOperation operation, Wait wait) throws InterruptedException {
        long beganNanos = clock.monotonicNanos();
        OperationOutcome operationOutcome = OperationOutcome.FAILED;
        try {
            OperationResult result = wait.forReplyTo(operation);
            operationOutcome = result.refusal() == null ? OperationOutcome.GRANTED : OperationOutcome.REFUSED;
            return result;
        } catch (InterruptedException e) {
            operationOutcome = OperationOutcome.INTERRUPTED;
            throw e;
        } catch (LeaseException e) {
            operationOutcome = OperationOutcome.of(e);
            throw e;
        } finally {
            metrics.operation(
                    operation.request().kind(),
                    operation.request().name(),
                    operationOutcome,
                    operation.priorStatus(),
                    clock.monotonicNanos() - beganNanos);
        }
    }
}
