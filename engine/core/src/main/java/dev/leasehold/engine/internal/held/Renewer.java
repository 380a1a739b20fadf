package dev.leasehold.engine.internal.held;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.FailureLog;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.session.LossListener;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews one term lease. Failures do not end it; only the end of the tenure does. Event loop only.
 *
 * <p>A renewal that is underway has time until the end of what it renews, since no caller waits for it: a late answer that is in time
 * counts. For the log alone, each operation budget without an answer is a failure.
 *
 * <p>Scheduled; then underway; an answer schedules the next renewal, a failure one after a pause, a refusal loses the tenure. Stopped for
 * good by the end of the held lease, from any of these.
 */
final class Renewer {

    private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

    private static final String FAILED = "{}: renewal {} in a row has failed, and is tried again while its time lasts;"
            + " {} leases of the namespace are not renewed: {}";

    /** The log of failed renewals of one engine. */
    static FailureLog newFailureLog() {
        return new FailureLog(LOG, FAILED);
    }

    /** A failed renewal is repeated within this fraction of the time that is left, so that several more fit. */
    private static final int TRIES_IN_TIME_LEFT = 4;

    private static final long SHORTEST_PAUSE_NANOS = 10_000_000;

    private final LeaseContext context;
    private final HeldLease heldLease;
    private final HeldLeases heldLeases;
    private final FailureLog failureLog;
    private final long termNanos;
    private @Nullable Timer next;
    private @Nullable Submission underWay;
    private @Nullable Timer overdue;
    private @Nullable Throwable lastFailure;
    private int failures;
    private boolean stopped;

    Renewer(LeaseContext context, HeldLease heldLease, HeldLeases heldLeases, long termNanos) {
        this.context = context;
        this.failureLog = heldLeases.renewalFailures();
        this.heldLease = heldLease;
        this.heldLeases = heldLeases;
        this.termNanos = termNanos;
    }

    /**
     * The next renewal is due one period after the current term began, also if the handles end before the term. If it is extended beyond its term
     * by a call, that is looked at again every period: time of day may end it long before the clock of the timers would.
     */
    void schedule() {
        long periodNanos = heldLease.request().renewalNanos();
        long elapsedNanos = termNanos - heldLease.validities().remainingNanos(heldLease.tenure());
        if (elapsedNanos < 0) {
            next = context.after(periodNanos, this::scheduleNext);
        } else {
            renewIn(Math.max(0, periodNanos - elapsedNanos));
        }
    }

    private void renewIn(long nanos) {
        next = context.after(nanos, this::renew);
    }

    void stop() {
        stopped = true;
        failureLog.ended(this);
        context.loop().cancel(next);
        // If its commit was sent, a release follows it. Whatever its outcome, it must not extend the validity.
        leaveUnderWay();
    }

    private void leaveUnderWay() {
        context.loop().cancel(overdue);
        if (underWay != null) {
            underWay.leave();
            underWay = null;
        }
    }

    /** Ends an unanswered renewal, and returns why the lease was not renewed; null if no renewal has failed. */
    @Nullable Throwable stopUnanswered() {
        if (underWay == null) {
            return lastFailure;
        }
        PendingOperation unanswered = underWay.operation();
        unanswered.timeOut();
        Throwable failure = unanswered.answer().handle((result, cause) -> cause).getNow(null);
        return failure == null ? lastFailure : failure;
    }

    /** An exception counts as a failed renewal, so the next one is scheduled. */
    private void renew() {
        try {
            send();
        } catch (RuntimeException e) {
            if (!stopped) {
                leaveUnderWay();
                failed(e);
            }
        }
    }

    private void send() {
        long remainingNanos = heldLease.remainingNanos();
        if (remainingNanos == 0) {
            heldLeases.loseIfEnded(heldLease);
            return;
        }
        Request.Extend renewal = new Request.Extend(heldLease.tenure(), termNanos, true);
        underWay = new Submission(context, renewal, context.inNanos(remainingNanos), this::answered);
        awaitBudget();
        underWay.send();
    }

    private void awaitBudget() {
        overdue = context.loop().at(context.operations().deadlineNanos(), this::onOverdue);
    }

    /** Otherwise a long term would be lost before anything is told of a database that does not answer. */
    private void onOverdue() {
        if (underWay != null) {
            awaitBudget();
            countFailure(
                    new LeaseUnavailableException("it is not answered within the operation budget, and goes on", null));
        }
    }

    private void answered(@Nullable OperationResult result, @Nullable Throwable failure) {
        underWay = null;
        context.loop().cancel(overdue);
        if (stopped) {
            return;
        }
        if (result == null) {
            failed(Objects.requireNonNull(failure, "no reply without a failure"));
        } else if (result.refusal() != null) {
            heldLeases.lose(heldLease, LossListener.reasonOf(result.refusal()), null);
        } else {
            lastFailure = null;
            failures = 0;
            failureLog.ended(this);
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
        countFailure(failure);
        long longestPauseNanos = Math.max(SHORTEST_PAUSE_NANOS, heldLease.remainingNanos() / TRIES_IN_TIME_LEFT);
        renewIn(Math.min(Math.max(SHORTEST_PAUSE_NANOS, context.backoffNanos(failures)), longestPauseNanos));
    }

    private void countFailure(Throwable failure) {
        failures++;
        failureLog.failed(this, LogContext.of(heldLease.tenure()), failures, failure);
    }
}
