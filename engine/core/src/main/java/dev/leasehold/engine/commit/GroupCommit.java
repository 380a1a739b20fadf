package dev.leasehold.engine.commit;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.time.StampClock;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One group of writes at a time. Operations that arrive while one is under way share the next, each with an answer of its
 * own. The steps of a round:
 *
 * <ol>
 *   <li>take the operations that may go now, one for each lease;
 *   <li>read what the view lacks, and what a refusal would otherwise say from memory;
 *   <li>decide; answer what needs no write; begin the session, if it is to keep a lease;
 *   <li>send in one command the writes that rest on their leases alone, if they are few, and the others in one transaction;
 *       settle by the outcomes.
 * </ol>
 *
 * <p>What was not settled stays in the queue until its time is over; {@link Retries} says when it goes again. While the
 * outcome of either is in doubt there is no round.
 */
public final class GroupCommit {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    /** After many were answered at once, so long it takes until most of those callers have asked for what they want next. */
    private static final long GATHERING_NANOS = 2_000_000;

    private final String namespace;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final StampClock clock;
    private final LeaseReader reader;
    private final Registration registration;
    private final Session session;
    private final Planner planner;
    private final Settlement settlement;
    private final Retries retries;
    private final int singleWritesMax;
    private final OperationQueue queue = new OperationQueue();

    /** Changed by the engine's thread alone. */
    private volatile @Nullable Doubt inDoubt;
    private volatile boolean closed;

    /** The next round waits for more. Of the engine's thread alone. */
    private boolean gathering;

    GroupCommit(
            String namespace,
            int singleWritesMax,
            LeaseStore store,
            EngineRuntime runtime,
            EngineThread thread,
            StampClock clock,
            LeaseReader reader,
            Registration registration,
            Session session,
            Planner planner,
            Settlement settlement) {
        this.namespace = namespace;
        this.singleWritesMax = singleWritesMax;
        this.store = store;
        this.runtime = runtime;
        this.thread = thread;
        this.clock = clock;
        this.reader = reader;
        this.registration = registration;
        this.session = session;
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
            settlement.noted(Doubt.Finding.LOST, inDoubt);
        }
        run();
    }

    private LeaseException closedException() {
        return new LeaseEngineClosedException("the engine of namespace '" + LeaseIds.namespaceOf(namespace) + "' is closed", null);
    }

    private void run() {
        queue.sweep(this::endIfDue);
        boolean waits = inDoubt != null || gathering && !closed;
        List<PendingOperation> batch = waits ? List.of() : queue.nextBatch();
        if (!batch.isEmpty()) {
            guarded(batch, () -> round(batch));
            queue.sweep(this::endIfDue);
            goOnAfter(batch);
        }
    }

    private void goOnAfter(List<PendingOperation> batch) {
        if (batch.stream().filter(PendingOperation::isOver).count() > singleWritesMax) {
            gathering = true;
            thread.executeAfter(GATHERING_NANOS, this::gathered);
        } else {
            // Behind what else is due by now: under a steady load a loop would never let reads and retries in.
            thread.execute(this::run);
        }
    }

    private void gathered() {
        gathering = false;
        run();
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
        settlement.roundBegins();
        Set<String> justRead = readMissing(batch);
        Planned planned = planner.plan(batch, justRead);
        if (planned.needsSession() && !session.isAlive()) {
            session.begin();
            // What is written in it carries a later stamp than its beginning.
            planned = planner.plan(batch, justRead);
        }
        if (!planned.isEmpty()) {
            clock.nextStampNanos(planned.at().nowNanos());
            settlement.stamped(planned.at());
            Planned alone = planned.alone(singleWritesMax);
            writeAlone(alone);
            commit(planned.without(alone).forOneTransaction());
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
        Set<String> names = new HashSet<>();
        for (PendingOperation operation : batch) {
            if (operation.mustRead() || !planner.knows(operation.name())) {
                names.add(operation.name());
            }
        }
        if (!names.isEmpty()) {
            reader.read(names);
        }
        batch.forEach(PendingOperation::wasRead);
        return names;
    }

    /** Those whose caller has gone are not written. */
    private void writeAlone(Planned planned) {
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
        Planned undone = planned.without(doubt.landed()).without(doubt.hidden()).without(doubt.unreadable());
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

    private LeaseException troubleOf(WriteOutcome outcome) {
        return outcome.cause() != null
                ? outcome.cause()
                : new LeaseContentionException("another engine wrote one of the leases first", null);
    }

    private void commit(Planned planned) {
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
            case UNKNOWN -> follow(new CommitInDoubt(planned, cause(outcome)));
            default -> settleUndone(planned, outcome);
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
            case WITHHELD -> { }
            default -> throw new IllegalStateException("verdict " + outcome.verdict() + " was handled before");
        }
    }

    private static LeaseException cause(WriteOutcome outcome) {
        return Objects.requireNonNull(outcome.cause(), "a verdict of " + outcome.verdict() + " carries its cause");
    }

    /** Whether the outcome of the last writes is still being found out. Any thread may ask. */
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
        List<PendingOperation> undone =
                doubt.planned().without(doubt.landed()).without(doubt.hidden()).without(doubt.unreadable()).operations();
        undone.forEach(PendingOperation::commitDidNotHappen);
        retries.later(undone, doubt.cause());
    }
}
