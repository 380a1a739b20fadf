package dev.leasehold.engine.handle;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.handle.Agenda.Alarm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One try to acquire a lease, made by one of those who wait for it. Ends in time, also when the database is silent. Of the agenda's
 * thread alone.
 */
final class Attempt {

    /** Hears once how it has ended. */
    interface Listener {
        void ended(Attempt attempt, @Nullable Reply reply, @Nullable LeaseException failure);
    }

    /** An answer that is being told is here long before. */
    private static final long ON_ITS_WAY_NANOS = 1_000_000_000;

    private final Surroundings around;
    private final Waiter waiter;
    private final long lastPlace;
    private final PendingOperation operation;
    private final Listener listener;
    private final Alarm timeOver;
    /** Why it certainly comes to nothing, which may not have been told yet. */
    private @Nullable Throwable notSent;

    private boolean over;

    /**
     * Sends nothing yet.
     *
     * @param waiter who makes it
     * @param lastPlace the last of those who had arrived before it, for all of whom it looks
     */
    Attempt(Surroundings around, Waiter waiter, long lastPlace, Listener listener) {
        this.around = around;
        this.waiter = waiter;
        this.lastPlace = lastPlace;
        this.listener = listener;
        this.operation = around.operation(waiter.request(), Math.min(around.budgetEndNanos(), waiter.hardEndNanos()));
        this.timeOver = around.agenda().at(operation.deadlineNanos(), this::timeOver);
    }

    void send() {
        try {
            around.submit(operation, this::answered);
        } catch (RuntimeException e) {
            // It may have been taken on all the same, and would be carried out for nobody.
            if (operation.abandon()) {
                notSent = e;
                around.agenda().post(() -> answered(null, e));
            }
        }
    }

    Waiter waiter() {
        return waiter;
    }

    /** What it would be granted; null where it came to nothing that could be. */
    @Nullable Tenure aim() {
        return operation.aim();
    }

    /** Whether it began after somebody had arrived, so that its refusal answers that one too. */
    boolean looksFor(Waiter other) {
        return other.place() <= lastPlace;
    }

    /** Ends it with certainty, if that is possible yet: nothing happens, and nobody is told. */
    boolean abandon() {
        if (operation.abandon()) {
            end();
            return true;
        }
        return false;
    }

    private void timeOver() {
        if (over) {
            return;
        }
        if (operation.abandon()) {
            end(null, operation.outOfTime());
        } else if (notSent != null) {
            end(null, asLeaseException(notSent));
        } else if (operation.forsake()) {
            end(null, operation.unknown(null));
            operation.logUnknown(null);
        } else {
            awaitAnswer();
        }
    }

    /** It is on its way here, unless it could not be passed on. */
    private void awaitAnswer() {
        around.agenda().at(around.inNanos(ON_ITS_WAY_NANOS), this::lookForTheAnswer);
    }

    private void lookForTheAnswer() {
        if (over) {
            return;
        }
        if (operation.answer().isDone()) {
            operation.answer().whenComplete(this::answered);
        } else {
            awaitAnswer();
        }
    }

    private void answered(@Nullable Reply reply, @Nullable Throwable failure) {
        if (!over) {
            end(reply, reply == null ? asLeaseException(failure) : null);
        }
    }

    private void end(@Nullable Reply reply, @Nullable LeaseException failure) {
        end();
        waiter.priorStatus(operation.priorStatus());
        listener.ended(this, reply, failure);
    }

    private void end() {
        over = true;
        around.agenda().cancel(timeOver);
    }

    private LeaseException asLeaseException(@Nullable Throwable failure) {
        return failure instanceof LeaseException known
                ? known
                : new LeaseStoreException(
                        operation.request().describe() + ": unexpected failure",
                        Objects.requireNonNull(failure, "no reply without a failure"));
    }
}
