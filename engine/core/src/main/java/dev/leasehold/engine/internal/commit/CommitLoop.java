package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.WriterRegistration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

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
    private final EngineThread thread;
    private final LeaseReader reader;
    private final Session session;
    private final BatchPlanner planner;
    private final OutcomeApplier applier;
    private final TransactionWriter writer;
    private final int singleWritesMax;
    private final OperationQueue queue = new OperationQueue();
    private final AtomicBoolean posted = new AtomicBoolean();
    private volatile boolean closed;

    /** The next round waits for more operations to arrive. Engine thread only. */
    private boolean gathering;

    CommitLoop(
            PartitionContext context,
            int singleWritesMax,
            LeaseReader reader,
            WriterRegistration registration,
            Session session,
            BatchPlanner planner,
            OutcomeApplier applier) {
        this.context = context;
        this.singleWritesMax = singleWritesMax;
        this.thread = context.thread();
        this.reader = reader;
        this.session = session;
        this.planner = planner;
        this.applier = applier;
        this.writer = new TransactionWriter(context, registration, planner, applier, this::run);
    }

    /** Enqueues an operation; its future completes with the result. Never blocks. */
    public void submit(PendingOperation operation) {
        queue.add(operation);
        post();
        if (closed) {
            // The last round may have ended before this operation was queued.
            operation.fail(context.closed());
        }
    }

    /** Fails the queued operations and all later ones. A commit that is being sent still gets its outcome. */
    public void close() {
        closed = true;
        writer.close();
        thread.execute(() -> {
            writer.abandonUnknown();
            run();
        });
    }

    /** Whether the outcome of the last writes is unknown and being resolved. Any thread. */
    boolean isOutcomeUnknown() {
        return writer.isOutcomeUnknown();
    }

    /**
     * Posts one task for all operations that arrive together. With a task for each, heartbeats would wait behind all of
     * them.
     */
    private void post() {
        if (posted.compareAndSet(false, true)) {
            boolean taken = false;
            try {
                thread.execute(this::runPosted);
                taken = true;
            } finally {
                if (!taken) {
                    posted.set(false);
                }
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
        boolean waits = writer.isOutcomeUnknown() || gathering && !closed;
        List<PendingOperation> batch = waits ? List.of() : queue.nextBatch();
        if (!batch.isEmpty()) {
            writer.guarded(batch, () -> round(batch));
            queue.sweep(this::endIfDue);
            if (batch.stream().filter(PendingOperation::isOver).count() > singleWritesMax) {
                thread.executeAfter(GATHERING_NANOS, this::onGathered);
                // Only once the task that ends it is scheduled.
                gathering = true;
            } else {
                // Queued behind the tasks that are due: under a steady load, a loop here would starve reads and
                // retries.
                post();
            }
        }
    }

    private void onGathered() {
        gathering = false;
        run();
    }

    private void endIfDue(PendingOperation operation) {
        if (closed) {
            operation.fail(context.closed());
            // A detached operation that nothing resolves is left only by an error on this thread, which closes the
            // engine.
            operation.failForeverUnknown(context.closed());
        } else if (context.clock().nowNanos() > operation.deadlineNanos()) {
            operation.fail(operation.outOfTime());
        }
    }

    private void round(List<PendingOperation> batch) {
        applier.onRoundBegin();
        batch.forEach(operation -> operation.sharesRound(batch.size() > 1));
        Set<String> justRead = readMissing(batch);
        WriteBatch writeBatch = planner.plan(batch, justRead);
        if (writeBatch.needsSession() && !session.isAlive()) {
            session.begin();
            // Planned again: these writes need a later stamp than the one that began the session.
            writeBatch = planner.plan(batch, justRead);
        }
        if (!writeBatch.isEmpty()) {
            context.clock().nextStampNanos(writeBatch.at().nowNanos());
            applier.onStamped(writeBatch.at());
            WriteBatch alone = session.hasFreshHeartbeat() ? writeBatch.alone(singleWritesMax) : writeBatch.none();
            writer.writeAlone(alone);
            writer.commitTogether(writeBatch.without(alone).forOneTransaction());
        }
    }

    /** Reads the leases that the cache lacks, and returns their names. What was just read may be answered from. */
    private Set<String> readMissing(List<PendingOperation> batch) {
        Set<String> names = new HashSet<>();
        for (PendingOperation operation : batch) {
            if (operation.retryState().mustRead() || !planner.knows(operation.name())) {
                names.add(operation.name());
            }
        }
        if (!names.isEmpty()) {
            reader.read(names);
        }
        batch.forEach(operation -> operation.retryState().mustRead(false));
        return names;
    }
}
