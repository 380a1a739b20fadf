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
 * <p>What was not settled stays in the queue until its time is over; {@link RetryScheduler} says when it goes again. While the
 * outcome of some {@link TransactionWriter} is in doubt there is no round.
 */
public final class CommitLoop {

    /** After many were answered at once, so long it takes until most of those callers have asked for what they want next. */
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

    /** The next round waits for more. Of the engine's thread alone. */
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

    /** Takes an operation on; its answer comes through its future. Never blocks. */
    public void submit(PendingOperation operation) {
        queue.add(operation);
        post();
        if (closed) {
            // The thread may have ended its last round before this operation was there to be seen.
            operation.fail(context.closed());
        }
    }

    /** Refuses what is waiting and what comes later. A commit that is being sent is still settled. */
    public void close() {
        closed = true;
        writer.close();
        thread.execute(this::end);
    }

    private void end() {
        writer.abandonUnknown();
        run();
    }

    /** Whether the outcome of the last writes is still being found out. Any thread may ask. */
    boolean isOutcomeUnknown() {
        return writer.isOutcomeUnknown();
    }

    /** However many arrive at once, one look at them is enough. With one for each, heartbeats would wait behind all of them. */
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
        // First, since what arrives from here on may not be seen by this look.
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
            scheduleAfter(batch);
        }
    }

    private void scheduleAfter(List<PendingOperation> batch) {
        if (batch.stream().filter(PendingOperation::isOver).count() > singleWritesMax) {
            thread.executeAfter(GATHERING_NANOS, this::onGathered);
            // Not before it is certain that it ends.
            gathering = true;
        } else {
            // Behind what else is due by now: under a steady load a loop would never let reads and retries in.
            post();
        }
    }

    private void onGathered() {
        gathering = false;
        run();
    }

    private void endIfDue(PendingOperation operation) {
        if (closed) {
            operation.fail(context.closed());
            // Only an error on this thread, which has closed the engine, leaves one behind that nobody follows.
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
            // What is written in it carries a later stamp than its beginning.
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

    /** Reads what the view lacks. What was read is fresh enough for a refusal. */
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
        batch.forEach(operation -> operation.retryState().wasRead());
        return names;
    }
}
