package dev.leasehold.engine.client;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.meters.Outcome;
import dev.leasehold.engine.time.EngineClock;

/** Measures what callers are told, and how long they waited for it. Safe for many threads. */
final class OperationMeter {

    private final EngineClock clock;
    private final EngineMeters meters;

    OperationMeter(EngineClock clock, EngineMeters meters) {
        this.clock = clock;
        this.meters = meters;
    }

    /** A caller's wait for an answer. */
    interface Wait {
        Reply forReplyTo(PendingOperation operation) throws InterruptedException;
    }

    Reply around(PendingOperation operation, Wait wait) throws InterruptedException {
        long beganNanos = clock.monotonicNanos();
        Outcome outcome = Outcome.FAILED;
        try {
            Reply reply = wait.forReplyTo(operation);
            outcome = reply.refusal() == null ? Outcome.GRANTED : Outcome.REFUSED;
            return reply;
        } catch (InterruptedException e) {
            outcome = Outcome.INTERRUPTED;
            throw e;
        } catch (LeaseException e) {
            outcome = Outcome.of(e);
            throw e;
        } finally {
            meters.operation(
                    operation.request().kind(),
                    operation.request().name(),
                    outcome,
                    operation.priorStatus(),
                    clock.monotonicNanos() - beganNanos);
        }
    }
}
