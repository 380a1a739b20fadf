package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.time.StampClock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what was planned, and settles each operation by what became of it, also when that has to be found out first. Used by the
 * engine's own thread alone, unless something else is said.
 */
final class Writing {

    private static final Logger LOG = LoggerFactory.getLogger(Writing.class);

    private final String namespace;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final StampClock clock;
    private final Registration registration;
    private final Planner planner;
    private final Settlement settlement;
    private final Runnable nextRound;
    private final Retries retries;

    /** Changed by the engine's thread alone. */
    private volatile @Nullable Doubt inDoubt;

    private volatile boolean closed;

    Writing(
            Environment environment,
            Registration registration,
            Planner planner,
            Settlement settlement,
            Runnable nextRound) {
        this.namespace = environment.namespace();
        this.store = environment.store();
        this.runtime = environment.runtime();
        this.thread = environment.thread();
        this.clock = environment.clock();
        this.registration = registration;
        this.planner = planner;
        this.settlement = settlement;
        this.nextRound = nextRound;
        this.retries = new Retries(runtime, thread, nextRound);
    }

    /** Whether the outcome of the last writes is still being found out. Any thread may ask. */
    boolean isInDoubt() {
        return inDoubt != null;
    }

    /** From now on it is told at once that something is in doubt. Any thread may ask. */
    void close() {
        closed = true;
    }

    /** What is in doubt now nobody will ever know. */
    void giveUp() {
        if (inDoubt != null) {
            LeaseException cause = inDoubt.cause();
            inDoubt.planned().operations().forEach(operation -> operation.lost(cause));
            settlement.noted(Doubt.Finding.LOST, inDoubt);
        }
    }

    /** Ends all these operations where the work on them fails, or puts them off. */
    void guarded(List<PendingOperation> operations, Runnable work) {
        try {
            work.run();
        } catch (LeaseUnavailableException e) {
            retries.later(operations, e);
        } catch (LeaseException e) {
            operations.forEach(operation -> operation.fail(e));
        } catch (RuntimeException e) {
            failUnexpectedly(operations, e);
        }
    }

    private void failUnexpectedly(List<PendingOperation> operations, Throwable cause) {
        try {
            LOG.error(
                    "namespace '{}', writer '{}': unexpected failure, {} operations end with it",
                    namespace,
                    registration.writer(),
                    operations.size(),
                    cause);
        } finally {
            // One that is neither ended nor settled would be taken for one that was not carried out.
            operations.forEach(operation -> failUnexpectedly(operation, cause));
        }
    }

    private static void failUnexpectedly(PendingOperation operation, Throwable cause) {
        LeaseException failure =
                new LeaseStoreException(operation.request().describe() + ": unexpected failure", cause);
        operation.fail(failure);
        operation.lost(failure);
        LOG.error(
                "{}: the {} ends with an unexpected failure",
                operation.subject(),
                operation.request().kind());
    }

    /** Sends in one command what rests on its lease alone. Those whose caller has gone are not written. */
    void alone(Planned planned) {
        Planned sent = planned.having(step -> step.operation().beginCommit());
        if (!sent.isEmpty()) {
            settleAlone(sent, store.writeLeases(sent.at().writer(), sent.singleWrites()));
        }
    }

    private void settleAlone(Planned planned, WriteOutcome outcome) {
        switch (outcome.verdict()) {
            case APPLIED -> settlement.granted(planned);
            case MISSED, CONFLICT -> tellApart(planned, outcome);
            case UNKNOWN -> follow(new SingleWritesInDoubt(planned, cause(outcome), true));
            default -> settleUndone(planned, outcome);
        }
    }

    /** Some may have been written. A single one that missed was not. */
    private void tellApart(Planned planned, WriteOutcome outcome) {
        if (outcome.verdict() == WriteOutcome.Verdict.MISSED && planned.steps().size() == 1) {
            settleUndone(planned, outcome);
            return;
        }
        Doubt doubt = new SingleWritesInDoubt(planned, troubleOf(outcome), false);
        if (doubt.step(store) != Doubt.Finding.KNOWN) {
            follow(doubt);
            return;
        }
        settlement.granted(doubt.landed());
        settleUnseen(doubt);
        Planned undone = undone(doubt);
        if (!undone.isEmpty()) {
            settleUndone(undone, outcome);
        }
    }

    /** Where others have written the lease, most likely before, that is what those who wait are to be told. */
    private void settleUnseen(Doubt doubt) {
        doubt.unreadable().operations().forEach(operation -> operation.lost(doubt.cause()));
        List<PendingOperation> hidden = doubt.hidden().operations();
        hidden.forEach(operation -> operation.commitIsHidden(doubt.cause()));
        retries.afterMiss(hidden);
    }

    /** What certainly was not carried out. */
    private static Planned undone(Doubt doubt) {
        return doubt.planned().without(doubt.landed()).without(doubt.hidden()).without(doubt.unreadable());
    }

    private LeaseException troubleOf(WriteOutcome outcome) {
        return outcome.cause() != null
                ? outcome.cause()
                : new LeaseContentionException("another engine wrote one of the leases first", null);
    }

    /** Sends them in one transaction, unless something is in doubt by now. */
    void together(Planned planned) {
        if (inDoubt != null || planned.isEmpty()) {
            return;
        }
        registration.ensure(planned.at().stampNanos() - 1);
        settle(
                planned,
                store.commit(
                        planned.transaction(registration.acknowledgedNanos()),
                        () -> planned.operations().stream().allMatch(PendingOperation::beginCommit)));
    }

    private void settle(Planned planned, WriteOutcome outcome) {
        switch (outcome.verdict()) {
            case APPLIED -> {
                retries.gotThrough();
                settlement.committed(planned);
            }
            case UNKNOWN -> follow(new CommitInDoubt(planned, cause(outcome), clock));
            case UNAVAILABLE -> settleUnavailable(planned, outcome);
            default -> settleUndone(planned, outcome);
        }
    }

    /** A server that knows of no such transaction may have known it once. */
    private void settleUnavailable(Planned planned, WriteOutcome outcome) {
        if (planned.mayBeForgotten(clock)) {
            follow(new CommitInDoubt(planned, cause(outcome), clock));
        } else {
            settleUndone(planned, outcome);
        }
    }

    /** None of it was carried out, and what was sent never will be. */
    private void settleUndone(Planned planned, WriteOutcome outcome) {
        List<PendingOperation> operations = planned.operations();
        operations.forEach(PendingOperation::commitDidNotHappen);
        switch (outcome.verdict()) {
            case MISSED -> retries.afterMiss(operations);
            case CONFLICT -> retries.afterConflict(operations, cause(outcome));
            case LEASE_CONFLICT -> retries.afterLeaseConflict(operations, cause(outcome));
            case UNAVAILABLE -> retries.later(operations, cause(outcome));
            case FAILED -> retries.afterRefusal(operations, cause(outcome));
            // One of the callers has gone; the others go on at once without it.
            case WITHHELD -> {}
            default -> throw new IllegalStateException("verdict " + outcome.verdict() + " was handled before");
        }
    }

    private static LeaseException cause(WriteOutcome outcome) {
        return Objects.requireNonNull(outcome.cause(), "a verdict of " + outcome.verdict() + " carries its cause");
    }

    /**
     * Nothing else is written until it is known what became of the transaction, also when no caller waits for it any more:
     * the writer's next transaction would wipe out the trace of this one.
     */
    private void follow(Doubt doubt) {
        planner.forget(doubt.planned());
        // First of all: a doubt that nobody follows would be the end of all writes.
        thread.executeAfter(runtime.randomNanos(Backoff.windowNanos(doubt.failures())), () -> {
            step(doubt);
            nextRound.run();
        });
        inDoubt = doubt;
        doubt.planned().operations().forEach(operation -> forsakeIfDue(operation, doubt.cause()));
    }

    private void forsakeIfDue(PendingOperation operation, LeaseException cause) {
        operation.tries().failed(cause);
        if (closed || clock.nowNanos() > operation.deadlineNanos()) {
            operation.failUnknown(cause);
        }
    }

    private void step(Doubt doubt) {
        Planned planned = doubt.planned();
        guarded(planned.operations(), () -> {
            inDoubt = null;
            Doubt.Finding finding = doubt.step(store);
            settlement.noted(finding, doubt);
            switch (finding) {
                case KNOWN -> resolve(doubt);
                case OPEN -> follow(doubt);
                case LOST -> planned.operations().forEach(operation -> operation.lost(doubt.cause()));
            }
        });
    }

    private void resolve(Doubt doubt) {
        if (doubt instanceof CommitInDoubt && !doubt.landed().isEmpty()) {
            settlement.committed(doubt.landed());
        } else {
            settlement.granted(doubt.landed());
        }
        // Others may have written since.
        planner.forget(doubt.planned());
        settleUnseen(doubt);
        List<PendingOperation> undone = undone(doubt).operations();
        undone.forEach(PendingOperation::commitDidNotHappen);
        retries.later(undone, doubt.cause());
    }
}
