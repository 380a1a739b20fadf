package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.time.EngineClock;

/** Records how operations ended and how long their callers waited. Safe for many threads. */
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
        OperationOutcome outcome = OperationOutcome.FAILED;
        try {
            OperationResult result = wait.forReplyTo(operation);
            outcome = result.refusal() == null ? OperationOutcome.GRANTED : OperationOutcome.REFUSED;
            return result;
        } catch (InterruptedException e) {
            outcome = OperationOutcome.INTERRUPTED;
            throw e;
        } catch (LeaseException e) {
            outcome = OperationOutcome.of(e);
            throw e;
        } finally {
            metrics.record(new OperationEnded(
                    operation.request().kind(),
                    operation.request().name(),
                    outcome,
                    operation.priorStatus(),
                    clock.monotonicNanos() - beganNanos));
        }
    }
}
