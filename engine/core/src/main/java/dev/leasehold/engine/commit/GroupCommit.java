package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseEngineClosedException;
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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction at a time. Operations that arrive while one is under way share the next, each with an answer of its
 * own. The steps of a round:
 *
 * <ol>
 *   <li>take the operations that may go now, one for each lease;
 *   <li>read what the view lacks, and what a refusal would otherwise say from memory;
 *   <li>decide; answer what needs no write;
 *   <li>send the writes in one transaction, and settle by its outcome.
 * </ol>
 *
 * <p>What was not settled stays in the queue until its time is over; {@link Retries} says when it goes again. While the
 * outcome of a transaction is in doubt there is no round.
 */
public final class GroupCommit {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final String namespace;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final StampClock clock;
    private final LeaseReader reader;
    private final Registration registration;
    private final Planner planner;
    private final Settlement settlement;
    private final Retries retries;
    private final OperationQueue queue = new OperationQueue();

    private @Nullable Doubt inDoubt;
    private volatile boolean closed;

    GroupCommit(
            String namespace,
            LeaseStore store,
            EngineRuntime runtime,
            EngineThread thread,
            StampClock clock,
            LeaseReader reader,
            Registration registration,
            Planner planner,
            Settlement settlement) {
        this.namespace = namespace;
        this.store = store;
        this.runtime = runtime;
        this.thread = thread;
        this.clock = clock;
        this.reader = reader;
        this.registration = registration;
        this.planner = planner;
        this.settlement = settlement;
        this.retries = new Retries(runtime, thread, this::run);
    }

    /** Takes an operation on; its answer comes through its future. Never blocks. */
    public void submit(PendingOperation operation) {
        queue.add(operation);
        thread.execute(this::run);
        if (closed) {
            // The thread may have ended its last round before this operation was there to be seen.
            operation.fail(closedException());
        }
    }

    /** Refuses what is waiting and what comes later. A commit that is being sent is still settled. */
    public void close() {
        closed = true;
        thread.execute(this::end);
    }

    private void end() {
        if (inDoubt != null) {
            LeaseException cause = inDoubt.cause();
            inDoubt.planned().operations().forEach(operation -> operation.lost(cause));
            settlement.noted(Doubt.Finding.LOST);
        }
        run();
    }

    private LeaseException closedException() {
        return new LeaseEngineClosedException("the engine of namespace '" + namespace + "' is closed", null);
    }

    private void run() {
        queue.sweep(this::endIfDue);
        List<PendingOperation> batch = inDoubt == null ? queue.nextBatch() : List.of();
        if (!batch.isEmpty()) {
            guarded(batch, () -> round(batch));
            queue.sweep(this::endIfDue);
            // Behind what else is due by now: under a steady load a loop would never let reads and retries in.
            thread.execute(this::run);
        }
    }

    private void endIfDue(PendingOperation operation) {
        if (closed) {
            operation.fail(closedException());
        } else if (clock.nowNanos() > operation.deadlineNanos()) {
            operation.fail(operation.outOfTime());
        }
    }

    private void guarded(List<PendingOperation> operations, Runnable work) {
        try {
            work.run();
        } catch (LeaseUnavailableException e) {
            retries.later(operations, e);
        } catch (LeaseException e) {
            operations.forEach(operation -> operation.fail(e));
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "namespace '{}', writer '{}': unexpected failure, {} operations end with it",
                    namespace, registration.writer(), operations.size(), e);
            operations.forEach(operation -> failUnexpectedly(operation, e));
        }
    }

    private void round(List<PendingOperation> batch) {
        Planned planned = planner.plan(batch, readMissing(batch));
        if (!planned.steps().isEmpty()) {
            commit(planned);
        }
    }

    private void failUnexpectedly(PendingOperation operation, Throwable cause) {
        LOG.error("{}: the {} ends with an unexpected failure", operation.subject(), operation.request().kind());
        LeaseException failure =
                new LeaseStoreException(operation.request().describe() + ": unexpected failure", cause);
        operation.fail(failure);
        operation.lost(failure);
    }

    /** Reads what the view lacks. What was read is fresh enough for a refusal. */
    private Set<String> readMissing(List<PendingOperation> batch) {
        Set<String> names = batch.stream()
                .filter(operation -> operation.mustRead() || !planner.knows(operation.name()))
                .map(PendingOperation::name)
                .collect(Collectors.toSet());
        if (!names.isEmpty()) {
            reader.read(names);
        }
        batch.forEach(PendingOperation::wasRead);
        return names;
    }

    private void commit(Planned planned) {
        clock.nextStampNanos(planned.at().nowNanos());
        registration.ensure(planned.at().stampNanos() - 1);
        settle(
                planned,
                store.commit(
                        planned.transaction(registration.acknowledgedNanos()),
                        () -> planned.operations().stream().allMatch(PendingOperation::beginCommit)));
    }

    private void settle(Planned planned, WriteOutcome outcome) {
        List<PendingOperation> operations = planned.operations();
        if (outcome.verdict() == WriteOutcome.Verdict.APPLIED) {
            settlement.applied(planned);
            return;
        }
        if (outcome.verdict() == WriteOutcome.Verdict.UNKNOWN) {
            follow(new Doubt(planned, cause(outcome)));
            return;
        }
        operations.forEach(PendingOperation::commitDidNotHappen);
        switch (outcome.verdict()) {
            case MISSED -> retries.afterMiss(operations);
            case CONFLICT -> retries.afterConflict(operations, cause(outcome));
            case LEASE_CONFLICT -> retries.afterLeaseConflict(operations, cause(outcome));
            case UNAVAILABLE -> retries.later(operations, cause(outcome));
            case FAILED -> retries.afterRefusal(operations, cause(outcome));
            // One of the callers has gone; the others go on at once without it.
            case WITHHELD -> { }
            default -> throw new IllegalStateException("verdict " + outcome.verdict() + " was handled before");
        }
    }

    private static LeaseException cause(WriteOutcome outcome) {
        return Objects.requireNonNull(outcome.cause(), "a verdict of " + outcome.verdict() + " carries its cause");
    }

    /** Whether the outcome of the last transaction is still being found out. Of the engine's own thread alone. */
    boolean isInDoubt() {
        return inDoubt != null;
    }

    /**
     * Nothing else is written until it is known what became of the transaction, also when no caller waits for it any more:
     * the writer's next transaction would wipe out the trace of this one.
     */
    private void follow(Doubt doubt) {
        planner.forget(doubt.planned());
        inDoubt = doubt;
        doubt.planned().operations().forEach(operation -> forsakeIfDue(operation, doubt.cause()));
        thread.executeAfter(runtime.randomNanos(Backoff.windowNanos(doubt.failures())), () -> {
            step(doubt);
            run();
        });
    }

    private void forsakeIfDue(PendingOperation operation, LeaseException cause) {
        operation.failed(cause);
        if (closed || clock.nowNanos() > operation.deadlineNanos()) {
            operation.failUnknown(cause);
        }
    }

    private void step(Doubt doubt) {
        Planned planned = doubt.planned();
        guarded(planned.operations(), () -> {
            inDoubt = null;
            switch (settlement.noted(doubt.step(store))) {
                case LANDED -> {
                    settlement.applied(planned);
                    planner.forget(planned);
                }
                case NOT_LANDED -> {
                    planned.operations().forEach(PendingOperation::commitDidNotHappen);
                    retries.later(planned.operations(), doubt.cause());
                }
                case OPEN -> follow(doubt);
                case LOST -> planned.operations().forEach(operation -> operation.lost(doubt.cause()));
            }
        });
    }
}
