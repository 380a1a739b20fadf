package dev.leasehold.engine.handle;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.handle.Agenda.Alarm;
import dev.leasehold.engine.meters.Outcome;
import dev.leasehold.engine.protocol.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one lease that has a term of its own. Nothing that goes wrong ends it, only the end of the tenure does. */
final class Renewal {

    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);
    private static final String FAILED =
            "{}: renewal {} in a row has failed, and is tried again while its time lasts: {}";

    /** A try that failed is repeated within this part of the time that is left, so that several more fit. */
    private static final int TRIES_LEFT = 4;

    private static final long SHORTEST_PAUSE_NANOS = 10_000_000;

    private final Surroundings around;
    private final Holding holding;
    private final Holdings holdings;
    private final long termNanos;
    private @Nullable Alarm next;
    private @Nullable PendingOperation underWay;
    private long sentNanos;
    private @Nullable Throwable trouble;
    private int failures;
    private boolean stopped;

    Renewal(Surroundings around, Holding holding, Holdings holdings) {
        this.around = around;
        this.holding = holding;
        this.holdings = holdings;
        this.termNanos = Objects.requireNonNull(holding.wish().termNanos(), "a lease with a term");
    }

    /** The next one is due a period after the present term began. */
    void schedule() {
        long goneNanos = termNanos - holding.remainingNanos();
        renewIn(Math.max(0, holding.wish().renewalNanos() - goneNanos));
    }

    private void renewIn(long nanos) {
        next = around.agenda().at(around.inNanos(nanos), this::renew);
    }

    void stop() {
        stopped = true;
        if (next != null) {
            around.agenda().cancel(next);
        }
        PendingOperation unanswered = underWay;
        // Where its commit was sent a release comes behind it. However that ends, nothing is to be believed by it.
        if (unanswered != null && (unanswered.abandon() || unanswered.forsake())) {
            measure(unanswered, Outcome.INTERRUPTED);
        }
    }

    /** Gives up one that is not answered by now, and says why the lease was not renewed; null if nothing has gone wrong. */
    @Nullable Throwable giveUpUnanswered() {
        PendingOperation unanswered = underWay;
        if (unanswered != null && unanswered.abandon()) {
            return measured(unanswered, unanswered.outOfTime());
        }
        return unanswered != null && unanswered.forsake()
                ? measured(unanswered, unanswered.tellUnknown(null))
                : trouble;
    }

    private LeaseException measured(PendingOperation unanswered, LeaseException failure) {
        measure(unanswered, Outcome.of(failure));
        return failure;
    }

    /** No answer of it will be told, which is what is measured otherwise. */
    private void measure(PendingOperation unanswered, Outcome outcome) {
        around.agenda().guarded(() -> around.measure(unanswered, outcome, sentNanos));
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
        long remainingNanos = holding.remainingNanos();
        if (remainingNanos == 0) {
            holdings.loseIfEnded(holding);
            return;
        }
        long deadlineNanos = Math.min(around.budgetEndNanos(), around.inNanos(remainingNanos));
        PendingOperation operation = PendingOperation.renewal(
                around.settings().namespace(), new Request.Extend(holding.tenure(), termNanos), deadlineNanos);
        underWay = operation;
        sentNanos = around.nowNanos();
        around.submitMeasured(operation, (reply, failure) -> answered(operation, reply, failure));
    }

    private void answered(@Nullable PendingOperation operation, @Nullable Reply reply, @Nullable Throwable failure) {
        if (stopped || underWay != operation) {
            return;
        }
        underWay = null;
        if (reply == null) {
            failed(Objects.requireNonNull(failure, "no reply without a failure"));
        } else if (reply.refusal() != null) {
            holdings.lose(holding, Reason.TAKEN_OVER, null);
        } else {
            trouble = null;
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
        trouble = failure;
        failures++;
        long mostNanos = Math.max(SHORTEST_PAUSE_NANOS, holding.remainingNanos() / TRIES_LEFT);
        renewIn(Math.min(Math.max(SHORTEST_PAUSE_NANOS, around.pauseNanos(failures)), mostNanos));
        if (Repeated.isTold(failures)) {
            LOG.warn(FAILED, Subject.of(holding.tenure()), failures, failure.getMessage(), Unexpected.in(failure));
        } else {
            LOG.debug(FAILED, Subject.of(holding.tenure()), failures, failure.getMessage());
        }
    }
}
