package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one lease that has a term of its own. Nothing that goes wrong ends it, only the end of the tenure does. */
final class Renewer {

    private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);
    private static final String FAILED =
            "{}: renewal {} in a row has failed, and is tried again while its time lasts: {}";

    /** A try that failed is repeated within this part of the time that is left, so that several more fit. */
    private static final int TRIES_LEFT = 4;

    private static final long SHORTEST_PAUSE_NANOS = 10_000_000;

    private final LeaseContext context;
    private final HeldLease heldLease;
    private final HeldLeases heldLeases;
    private final long termNanos;
    private @Nullable Timer next;
    private @Nullable PendingOperation underWay;
    private long sentNanos;
    private @Nullable Throwable lastFailure;
    private int failures;
    private boolean stopped;

    Renewer(LeaseContext context, HeldLease heldLease, HeldLeases heldLeases) {
        this.context = context;
        this.heldLease = heldLease;
        this.heldLeases = heldLeases;
        this.termNanos = Objects.requireNonNull(heldLease.spec().termNanos(), "a lease with a term");
    }

    /** The next one is due a period after the present term began. */
    void schedule() {
        long goneNanos = termNanos - heldLease.remainingNanos();
        renewIn(Math.max(0, heldLease.spec().renewalNanos() - goneNanos));
    }

    private void renewIn(long nanos) {
        next = context.loop().at(context.inNanos(nanos), this::renew);
    }

    void stop() {
        stopped = true;
        if (next != null) {
            context.loop().cancel(next);
        }
        PendingOperation unanswered = underWay;
        // Where its commit was sent a release comes behind it. However that ends, nothing is to be believed by it.
        if (unanswered != null && (unanswered.cancel() || unanswered.detach())) {
            measure(unanswered, OperationOutcome.INTERRUPTED);
        }
    }

    /** Gives up one that is not answered by now, and says why the lease was not renewed; null if nothing has gone wrong. */
    @Nullable Throwable stopUnanswered() {
        PendingOperation unanswered = underWay;
        if (unanswered != null && unanswered.cancel()) {
            return measured(unanswered, unanswered.outOfTime());
        }
        return unanswered != null && unanswered.detach()
                ? measured(unanswered, unanswered.unknownLogged(null))
                : lastFailure;
    }

    private LeaseException measured(PendingOperation unanswered, LeaseException failure) {
        measure(unanswered, OperationOutcome.of(failure));
        return failure;
    }

    /** No answer of it will be told, which is what is measured otherwise. */
    private void measure(PendingOperation unanswered, OperationOutcome operationOutcome) {
        context.loop().guarded(() -> context.measure(unanswered, operationOutcome, sentNanos));
    }

    /** Whatever goes wrong here, the next one is due. */
    private void renew() {
        try {
            send();
        } catch (RuntimeException e) {
            answered(underWay, null, e);
        }
    }

    private void send() {
        long remainingNanos = heldLease.remainingNanos();
        if (remainingNanos == 0) {
            heldLeases.loseIfEnded(heldLease);
            return;
        }
        long deadlineNanos = Math.min(context.budgetEndNanos(), context.inNanos(remainingNanos));
        PendingOperation operation = PendingOperation.renewal(
                context.settings().namespace(), new Request.Extend(heldLease.tenure(), termNanos), deadlineNanos);
        underWay = operation;
        sentNanos = context.nowNanos();
        context.submitMeasured(operation, (result, failure) -> answered(operation, result, failure));
    }

    private void answered(
            @Nullable PendingOperation operation, @Nullable OperationResult result, @Nullable Throwable failure) {
        if (stopped || underWay != operation) {
            return;
        }
        underWay = null;
        if (result == null) {
            failed(Objects.requireNonNull(failure, "no reply without a failure"));
        } else if (result.refusal() != null) {
            heldLeases.lose(heldLease, Reason.TAKEN_OVER, null);
        } else {
            lastFailure = null;
            failures = 0;
            scheduleNext();
        }
    }

    private void scheduleNext() {
        try {
            schedule();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof LeaseEngineClosedException) {
            return;
        }
        lastFailure = failure;
        failures++;
        long mostNanos = Math.max(SHORTEST_PAUSE_NANOS, heldLease.remainingNanos() / TRIES_LEFT);
        renewIn(Math.min(Math.max(SHORTEST_PAUSE_NANOS, context.backoffNanos(failures)), mostNanos));
        if (LogThrottle.isTold(failures)) {
            LOG.warn(
                    FAILED,
                    LogContext.of(heldLease.tenure()),
                    failures,
                    failure.getMessage(),
                    UnexpectedFailure.in(failure));
        } else {
            LOG.debug(FAILED, LogContext.of(heldLease.tenure()), failures, failure.getMessage());
        }
    }
}
