package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.UnknownOutcome.Evidence;
import dev.leasehold.engine.internal.metrics.EngineEvent.Resolution;
import dev.leasehold.engine.internal.metrics.EngineEvent.UnknownResolved;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends planned writes and gives each operation its result. If the outcome of a write is unknown, resolves it first and
 * sends no other write until then. Engine thread only, unless stated otherwise.
 */
final class TransactionWriter {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionWriter.class);

    private final PartitionContext context;
    private final LeaseStore store;
    private final StampClock clock;
    private final WriterRegistration registration;
    private final Session session;
    private final OutcomeApplier applier;
    private final EngineMetrics metrics;
    private final Runnable nextRound;
    private final RetryScheduler retries;

    /** Changed by the engine thread only. */
    private volatile @Nullable UnknownOutcome unresolved;

    /** The unresolved outcome is lost for ever, as was reported. Engine thread only. */
    private boolean abandoned;

    /** The operations that are being carried out now; those that were when an error ended that. */
    private List<PendingOperation> underWay = List.of();

    private volatile boolean closed;

    TransactionWriter(
            PartitionContext context,
            WriterRegistration registration,
            Session session,
            OutcomeApplier applier,
            EngineMetrics metrics,
            Runnable nextRound) {
        this.context = context;
        this.store = context.store();
        this.clock = context.clock();
        this.registration = registration;
        this.session = session;
        this.applier = applier;
        this.metrics = metrics;
        this.nextRound = nextRound;
        this.retries = new RetryScheduler(context, nextRound);
    }

    /** Whether the outcome of the last writes is unknown and being resolved. Any thread. */
    boolean isOutcomeUnknown() {
        return unresolved != null;
    }

    /** From now on, callers of a write with an unknown outcome get that answer at once. Any thread. */
    void close() {
        closed = true;
    }

    /** Ends the resolution of an unknown outcome, and what an error has interrupted: it will never be known. */
    void abandonUnknown() {
        // Some may have left the queue, since their callers have left.
        underWay.forEach(operation -> operation.failForeverUnknown(context.closed()));
        UnknownOutcome unknown = unresolved;
        if (unknown != null && !abandoned) {
            // It stays unresolved, so that the close ends what may still be under way.
            abandoned = true;
            unknown.writeBatch().operations().forEach(operation -> operation.failForeverUnknown(unknown.cause()));
            metrics.record(new UnknownResolved(Resolution.LOST));
        }
    }

    /** Runs the work. If the database is unavailable, retries the operations later; on any other failure, fails them. */
    void guarded(List<PendingOperation> operations, Runnable work) {
        underWay = operations;
        try {
            work.run();
        } catch (LeaseUnavailableException e) {
            retries.afterOutage(operations, e);
        } catch (LeaseException e) {
            for (PendingOperation operation : operations) {
                operation.fail(e);
                // Its commit was sent, and an error has ended the engine just before the next step.
                operation.failForeverUnknown(e);
            }
        } catch (RuntimeException e) {
            failUnexpectedly(operations, e);
        }
        // Not after an error: then the end of the engine answers them.
        underWay = List.of();
    }

    private void failUnexpectedly(List<PendingOperation> operations, RuntimeException cause) {
        try {
            LOG.error("{}: unexpected failure, {} operations end with it", registration, operations.size(), cause);
        } finally {
            // An operation without a result would be reported as not carried out.
            for (PendingOperation operation : operations) {
                Request request = operation.request();
                LeaseException failure = new LeaseStoreException(request.describe() + ": unexpected failure", cause);
                operation.fail(failure);
                operation.failForeverUnknown(failure);
                LOG.error("{}: the {} ends with an unexpected failure", operation.logContext(), request.kind());
            }
        }
    }

    /** Sends the writes that depend on their own lease only, in one command. Cancelled operations are left out. */
    void writeAlone(WriteBatch writeBatch) {
        if (context.runtime().hasFailed()) {
            return;
        }
        WriteBatch sent = writeBatch.filter(step -> step.operation().beginCommit());
        if (!sent.isEmpty()) {
            applyAlone(sent, store.writeLeases(sent.at().writer(), sent.singleWrites()));
        }
    }

    private void applyAlone(WriteBatch writeBatch, WriteOutcome outcome) {
        switch (outcome.verdict()) {
            case APPLIED -> applier.granted(writeBatch);
            case MISSED, CONFLICT -> resolvePartial(writeBatch, outcome);
            case UNKNOWN -> scheduleResolution(UnknownOutcome.ofWrites(writeBatch, cause(outcome), clock, true));
            default -> applyNotDone(writeBatch, outcome);
        }
    }

    /** Some of the writes may have landed. A single write that missed did not. */
    private void resolvePartial(WriteBatch writeBatch, WriteOutcome outcome) {
        boolean one = writeBatch.steps().size() == 1;
        if (one && outcome.verdict() == WriteOutcome.Verdict.MISSED) {
            applyNotDone(writeBatch, outcome);
            return;
        }
        if (one) {
            writeBatch.operations().get(0).retryState().leaseBlocked();
        }
        LeaseException cause = outcome.cause() != null
                ? outcome.cause()
                : new LeaseContentionException("another engine wrote one of the leases first", null);
        // What repeats a command on its way, as a mongos does, may have left a copy behind that lands after this
        // answer.
        UnknownOutcome unknown =
                UnknownOutcome.ofWrites(writeBatch, cause, clock, outcome.verdict() == WriteOutcome.Verdict.CONFLICT);
        if (unknown.resolve(store)) {
            applyResolved(unknown, notLanded -> applyNotDone(notLanded, outcome));
        } else {
            scheduleResolution(unknown);
        }
    }

    /** Sends the writes in one transaction, unless there is an unknown outcome by now, or the engine has failed. */
    void commitTogether(WriteBatch writeBatch) {
        if (unresolved != null || writeBatch.isEmpty() || context.runtime().hasFailed()) {
            return;
        }
        registration.ensure(writeBatch.at().stampNanos() - 1);
        applyCommit(
                writeBatch,
                store.commit(
                        writeBatch.transaction(registration.acknowledgedNanos()),
                        () -> writeBatch.operations().stream().allMatch(PendingOperation::beginCommit)));
    }

    private void applyCommit(WriteBatch writeBatch, WriteOutcome outcome) {
        // A server that does not know the transaction may have forgotten it.
        boolean forgotten =
                outcome.verdict() == WriteOutcome.Verdict.UNAVAILABLE && writeBatch.mayBeForgottenByServer(clock);
        if (outcome.verdict() == WriteOutcome.Verdict.APPLIED) {
            retries.committed();
            session.acknowledged(writeBatch.at());
            applier.granted(writeBatch);
        } else if (outcome.verdict() == WriteOutcome.Verdict.UNKNOWN || forgotten) {
            scheduleResolution(UnknownOutcome.ofTransaction(writeBatch, cause(outcome), clock));
        } else {
            applyNotDone(writeBatch, outcome);
        }
    }

    private void applyNotDone(WriteBatch writeBatch, WriteOutcome outcome) {
        List<PendingOperation> operations = writeBatch.operations();
        operations.forEach(PendingOperation::commitDidNotHappen);
        switch (outcome.verdict()) {
            case MISSED -> retries.afterMiss(operations);
            case CONFLICT -> retries.afterConflict(operations, cause(outcome));
            case LEASE_CONFLICT -> retries.afterLeaseConflict(operations, cause(outcome));
            case UNAVAILABLE -> retries.afterOutage(operations, cause(outcome));
            case FAILED -> retries.afterRefusal(operations, cause(outcome));
            // One of the callers cancelled; the others are tried again at once without it.
            case WITHHELD -> {}
            default -> throw new IllegalStateException("verdict " + outcome.verdict() + " was handled before");
        }
    }

    private static LeaseException cause(WriteOutcome outcome) {
        return Objects.requireNonNull(outcome.cause(), "a verdict of " + outcome.verdict() + " carries its cause");
    }

    // ---- unknown outcomes ----

    /**
     * Nothing else is written until the outcome is known, even if no caller waits for it any more: the writer's next
     * transaction would overwrite the evidence of this one. So the pauses are those of a heartbeat that has failed.
     */
    private void scheduleResolution(UnknownOutcome unknown) {
        context.cache().forget(unknown.writeBatch().names());
        // Scheduled first: an unknown outcome that nothing resolves would block all writes.
        long windowNanos = session.retryWindowNanos(unknown.failures(), unknown.cause());
        context.thread().executeAfter(context.runtime().randomNanos(windowNanos), () -> {
            guarded(unknown.writeBatch().operations(), () -> resolve(unknown));
            nextRound.run();
        });
        unresolved = unknown;
        for (PendingOperation operation : unknown.writeBatch().operations()) {
            operation.retryState().failed(unknown.cause());
            if (closed || clock.nowNanos() > operation.deadlineNanos()) {
                operation.failUnknown(unknown.cause());
            }
        }
    }

    private void resolve(UnknownOutcome unknown) {
        if (context.runtime().hasFailed()) {
            // It stays unknown, as the end of the engine tells its callers.
            return;
        }
        unresolved = null;
        if (!unknown.resolve(store)) {
            scheduleResolution(unknown);
            return;
        }
        boolean landed = !unknown.having(Evidence.LANDED).isEmpty();
        boolean lost = unknown.having(Evidence.LOST).steps().size()
                == unknown.writeBatch().steps().size();
        metrics.record(
                new UnknownResolved(landed ? Resolution.LANDED : lost ? Resolution.LOST : Resolution.NOT_LANDED));
        if (landed && unknown.isTransaction()) {
            session.acknowledged(unknown.writeBatch().at());
        }
        applyResolved(unknown, notLanded -> {
            notLanded.operations().forEach(PendingOperation::commitDidNotHappen);
            retries.afterOutage(notLanded.operations(), unknown.cause());
            if (!unknown.isTransaction()) {
                // One of them may have waited behind a caller's transaction until the client gave up the answer. A
                // transaction gets the conflict at once, and no other has to wait for that lease again.
                notLanded
                        .operations()
                        .forEach(operation -> operation.retryState().contended());
            }
        });
        // Other engines may have written since.
        context.cache().forget(unknown.writeBatch().names());
    }

    /** A lease that another engine wrote was most likely written before this write, so that operation is tried again. */
    private void applyResolved(UnknownOutcome unknown, Consumer<WriteBatch> onNotLanded) {
        // Another engine's tenure may have the same holder and token: it must not be released as the intended one.
        unknown.showing(Evidence.OVERWRITTEN).operations().forEach(operation -> operation.intends(null));
        applier.granted(unknown.having(Evidence.LANDED));
        unknown.having(Evidence.LOST).operations().forEach(operation -> operation.failForeverUnknown(unknown.cause()));
        List<PendingOperation> overwritten =
                unknown.having(Evidence.OVERWRITTEN).operations();
        overwritten.forEach(operation -> operation.commitOverwritten(unknown.cause()));
        retries.afterMiss(overwritten);
        WriteBatch notLanded = unknown.having(Evidence.NOT_LANDED);
        if (!notLanded.isEmpty()) {
            onNotLanded.accept(notLanded);
        }
    }
}
