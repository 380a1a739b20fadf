package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.LeaseRules;
import dev.leasehold.engine.internal.rules.LocalKnowledge;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: carries out the queued operations in rounds, one round at a time. Operations that arrive during a round
 * share the next one; each gets its own result. A round has these steps:
 *
 * <ol>
 *   <li>Take the operations that are ready, at most one per lease.
 *   <li>Read the leases that the cache lacks, and those that an answer without a write would otherwise take from the
 *       cache.
 *   <li>Decide each operation. Answer those that need no write. Begin the session if one of the writes needs it.
 *   <li>Send the writes that depend on their own lease only in one command, if there are few, and the others in one
 *       transaction. Apply the outcomes.
 * </ol>
 *
 * <p>An operation without a result stays in the queue until its deadline; {@link RetryScheduler} decides when it is
 * tried again. There is no round while {@link TransactionWriter} has an unknown outcome.
 */
public final class CommitLoop {

    /** After many answers at once, most of those callers submit their next operation within this time. */
    private static final long GATHERING_NANOS = 2_000_000;

    private final PartitionContext context;
    private final LeaseReader reader;
    private final Session session;
    private final WriterRegistration registration;
    private final OutcomeApplier applier;
    private final TransactionWriter writer;
    private final int singleWritesMax;
    private final OperationQueue queue = new OperationQueue();
    private final AtomicBoolean posted = new AtomicBoolean();
    private volatile boolean closed;

    /** The next round waits for more operations to arrive. Engine thread only. */
    private boolean gathering;

    public CommitLoop(
            PartitionContext context,
            int singleWritesMax,
            LeaseReader reader,
            WriterRegistration registration,
            Session session,
            EngineMetrics metrics) {
        this.context = context;
        this.singleWritesMax = singleWritesMax;
        this.reader = reader;
        this.registration = registration;
        this.session = session;
        this.applier = new OutcomeApplier(context.cache(), context.validities());
        this.writer = new TransactionWriter(context, registration, session, applier, metrics, this::run);
    }

    /** Enqueues an operation; its future completes with the result. Never blocks. */
    public void submit(PendingOperation operation) {
        queue.add(operation);
        post();
        if (isOver()) {
            // The last round may have ended before this operation was queued.
            operation.fail(context.closed());
        }
    }

    /** Whether nothing is decided any more. Any thread. */
    private boolean isOver() {
        return closed || context.runtime().hasFailed();
    }

    /** Fails the queued operations and all later ones. A commit that is being sent still gets its outcome. */
    public void close() {
        closed = true;
        writer.close();
        endAll();
    }

    /**
     * An error has ended the engine, on this thread or on another: there is no further round. Fails the queued operations;
     * what was sent and has no answer stays unknown for ever.
     */
    public void fail() {
        endAll();
    }

    private void endAll() {
        context.thread().execute(() -> {
            writer.abandonUnknown();
            run();
        });
    }

    public boolean isOutcomeUnknown() {
        return writer.isOutcomeUnknown();
    }

    /**
     * Posts one task for all operations that arrive together. With a task for each, heartbeats would wait behind all of
     * them.
     */
    private void post() {
        if (posted.compareAndSet(false, true)) {
            try {
                context.thread().execute(this::runPosted);
            } catch (RuntimeException | Error e) {
                posted.set(false);
                throw e;
            }
        }
    }

    private void runPosted() {
        // First, since this run may not see what arrives from here on.
        posted.set(false);
        run();
    }

    private void run() {
        queue.sweep(this::endIfDue);
        reader.readUnjudged();
        boolean waits = writer.isOutcomeUnknown()
                || gathering && !closed
                || context.runtime().hasFailed();
        List<PendingOperation> batch = waits ? List.of() : queue.nextBatch();
        if (!batch.isEmpty()) {
            writer.guarded(batch, () -> round(batch));
            queue.sweep(this::endIfDue);
            if (batch.stream().filter(PendingOperation::isOver).count() > singleWritesMax) {
                context.thread().executeAfter(GATHERING_NANOS, this::onGathered);
                // Only once the task that ends it is scheduled.
                gathering = true;
            } else if (!queue.isEmpty()) {
                // Queued behind the tasks that are due: under a steady load, a loop here would starve reads and
                // retries.
                post();
            }
        }
    }

    /** Tries renewals again that pause after a conflict: what is to be sent now would take longer than their pause. Engine thread only. */
    public void retryRenewals() {
        if (queue.unparkRenewals()) {
            run();
        }
    }

    private void onGathered() {
        gathering = false;
        run();
    }

    private void endIfDue(PendingOperation operation) {
        if (isOver()) {
            operation.fail(context.closed());
            // Its commit was sent, and an error has ended the engine before the answer was applied.
            operation.failForeverUnknown(context.closed());
        } else if (context.clock().nowNanos() > operation.deadlineNanos()) {
            operation.fail(operation.outOfTime());
        }
    }

    private void round(List<PendingOperation> batch) {
        // No outcome is unknown, so what is granted from now on counts from a reading later than all stamps sent.
        context.validities().forgetStamps();
        batch.forEach(operation -> operation.sharesRound(batch.size() > 1));
        Set<String> justRead = readMissing(batch);
        WriteBatch writeBatch = plan(batch, justRead);
        if (writeBatch.needsSession() && !session.isAlive()) {
            session.begin();
            // Planned again: these writes need a later stamp than the one that began the session.
            writeBatch = plan(batch, justRead);
        }
        if (!writeBatch.isEmpty()) {
            context.validities()
                    .issueStamp(writeBatch.at().nowNanos(), writeBatch.at().wallNanos());
            writeBatch.sendTickets();
            WriteBatch alone = writeBatch.alone(session.hasFreshHeartbeat() ? singleWritesMax : 0);
            writer.writeAlone(alone);
            writer.commitTogether(writeBatch.without(alone).forOneTransaction());
        }
    }

    /** Reads the leases that the cache lacks, and returns their names. What was just read may be answered from. */
    private Set<String> readMissing(List<PendingOperation> batch) {
        Set<String> names = new HashSet<>();
        for (PendingOperation operation : batch) {
            if (operation.retryState().mustRead()
                    || !(operation.request() instanceof Request.OfQueue)
                            && context.cache().get(operation.name()) == null) {
                names.add(operation.name());
            }
        }
        if (!names.isEmpty()) {
            reader.read(names);
        }
        batch.forEach(operation -> operation.retryState().mustRead(false));
        return names;
    }

    // ---- deciding ----

    /**
     * Answers the operations that need no write, and returns the writes of the others.
     *
     * <p>No answer is given from the cache, since another engine may have ended the tenure. An operation that needs no write,
     * and whose lease was not read in this round, stays in the queue and is read first.
     *
     * @param justRead the leases that were read in this round
     */
    private WriteBatch plan(List<PendingOperation> batch, Set<String> justRead) {
        StampClock clock = context.clock();
        context.validities().decides();
        long nowNanos = clock.nowNanos();
        DecisionContext at = new DecisionContext(
                context.namespace(),
                registration.writer(),
                nowNanos,
                clock.peekStampNanos(nowNanos),
                clock.wallNanos(),
                context.cache().tokenFloor());
        List<WriteBatch.Step> steps = new ArrayList<>();
        for (PendingOperation operation : batch) {
            if (operation.request() instanceof Request.OfQueue ofQueue) {
                apply(LeaseRules.decideOfQueue(sent(ofQueue, operation), at), operation, false, steps);
                continue;
            }
            ObservedLease observed = context.cache().get(operation.name());
            if (mustSeeFirst(operation) && !justRead.contains(operation.name())) {
                operation.retryState().mustRead(true);
                continue;
            }
            // A read may have made this engine a new writer, which empties the cache.
            if (observed != null && !operation.isOver()) {
                LeaseStatus status = observed.stateAt(at.nowNanos()).status();
                operation.decidedOn(status);
                Decision decision = decide(firstSeen(operation), observed, at);
                if (endsOverdue(decision, operation, status) && !justRead.contains(operation.name())) {
                    operation.retryState().mustRead(true);
                    continue;
                }
                operation.intends(decision instanceof Decision.Write write ? write.tenure() : null);
                apply(decision, operation, justRead.contains(operation.name()), steps);
            }
        }
        return new WriteBatch(at, steps);
    }

    private static Request.OfQueue sent(Request.OfQueue request, PendingOperation operation) {
        return request instanceof Request.Enqueue enqueue
                ? new Request.Enqueue(enqueue.acquire(), operation.ticket())
                : request;
    }

    /** A forced expiry of whatever holds the lease: what holds it now, and not what is remembered. */
    private static boolean mustSeeFirst(PendingOperation operation) {
        return operation.request() instanceof Request.ForceExpire forced
                && forced.tenure() == null
                && operation.intendedTenure() == null;
    }

    /**
     * A tenure that is over by what was read last. That may be long ago, and its holder may have renewed it since: then the guard would miss,
     * and take along what shares the transaction, such as a renewal.
     */
    private static boolean endsOverdue(Decision decision, PendingOperation operation, LeaseStatus status) {
        return decision instanceof Decision.Write
                && status == LeaseStatus.EXPIRED
                && !(operation.request() instanceof Request.OfTenure);
    }

    /** A forced expiry ends the tenure that it saw first, since a retry could meet the next one. */
    private static Request firstSeen(PendingOperation operation) {
        Tenure first = operation.intendedTenure();
        return first != null && operation.request() instanceof Request.ForceExpire forced && forced.tenure() == null
                ? new Request.ForceExpire(forced.name(), forced.reason(), first)
                : operation.request();
    }

    private void apply(Decision decision, PendingOperation operation, boolean justRead, List<WriteBatch.Step> steps) {
        if (decision instanceof Decision.Write write) {
            steps.add(new WriteBatch.Step(operation, write));
        } else if (decision instanceof Decision.AlreadySo heard && operation.request() instanceof Request.Acquire) {
            // However late it is seen: as long as this engine has an entry, only itself ends what was granted to it.
            applier.granted(operation, heard);
        } else if (!justRead) {
            operation.retryState().mustRead(true);
        } else if (decision instanceof Decision.AlreadySo already) {
            applier.granted(operation, already);
        } else if (decision instanceof Decision.Refused refused) {
            applier.refused(operation, refused.refusal());
        } else if (decision instanceof Decision.Impossible impossible) {
            operation.fail(impossible.cause());
        }
    }

    private Decision decide(Request request, ObservedLease observed, DecisionContext at) {
        if (observed instanceof ObservedLease.Lease lease && lease.isHeld()) {
            Tenure seen = lease.document().tenure();
            Validity validity = context.validities().get(seen);
            boolean ended = context.validities().isEnded(seen) || isOwnButLost(lease, validity);
            WaitQueue queue = context.cache().queueOf(lease.document());
            return LeaseRules.decide(
                    request, observed, at, new LocalKnowledge(validity, ended, session.isAlive(), queue));
        }
        return LeaseRules.decide(request, observed, at, LocalKnowledge.NOTHING);
    }

    /** The session may live on after a holder learned that its lease is lost; that holder must not get it back. */
    private static boolean isOwnButLost(ObservedLease.Lease lease, @Nullable Validity validity) {
        return lease.own() && lease.document().isSessionLease() && validity == null;
    }
}
