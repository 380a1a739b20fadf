package dev.leasehold.engine.commit;

import dev.leasehold.engine.runtime.EngineThread;
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
 * <p>What was not settled stays in the queue until its time is over; {@link Retries} says when it goes again. While the
 * outcome of some {@link Writing} is in doubt there is no round.
 */
public final class GroupCommit {

    /** After many were answered at once, so long it takes until most of those callers have asked for what they want next. */
    private static final long GATHERING_NANOS = 2_000_000;

    private final Environment environment;
    private final EngineThread thread;
    private final LeaseReader reader;
    private final Session session;
    private final Planner planner;
    private final Settlement settlement;
    private final Writing writing;
    private final int singleWritesMax;
    private final OperationQueue queue = new OperationQueue();
    private final AtomicBoolean posted = new AtomicBoolean();
    private volatile boolean closed;

    /** The next round waits for more. Of the engine's thread alone. */
    private boolean gathering;

    GroupCommit(
            Environment environment,
            int singleWritesMax,
            LeaseReader reader,
            Registration registration,
            Session session,
            Planner planner,
            Settlement settlement) {
        this.environment = environment;
        this.singleWritesMax = singleWritesMax;
        this.thread = environment.thread();
        this.reader = reader;
        this.session = session;
        this.planner = planner;
        this.settlement = settlement;
        this.writing = new Writing(environment, registration, planner, settlement, this::run);
    }

    /** Takes an operation on; its answer comes through its future. Never blocks. */
    public void submit(PendingOperation operation) {
        queue.add(operation);
        post();
        if (closed) {
            // The thread may have ended its last round before this operation was there to be seen.
            operation.fail(environment.closed());
        }
    }

    /** Refuses what is waiting and what comes later. A commit that is being sent is still settled. */
    public void close() {
        closed = true;
        writing.close();
        thread.execute(this::end);
    }

    private void end() {
        writing.giveUp();
        run();
    }

    /** Whether the outcome of the last writes is still being found out. Any thread may ask. */
    boolean isInDoubt() {
        return writing.isInDoubt();
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
        boolean waits = writing.isInDoubt() || gathering && !closed;
        List<PendingOperation> batch = waits ? List.of() : queue.nextBatch();
        if (!batch.isEmpty()) {
            writing.guarded(batch, () -> round(batch));
            queue.sweep(this::endIfDue);
            goOnAfter(batch);
        }
    }

    private void goOnAfter(List<PendingOperation> batch) {
        if (batch.stream().filter(PendingOperation::isOver).count() > singleWritesMax) {
            thread.executeAfter(GATHERING_NANOS, this::gathered);
            // Not before it is certain that it ends.
            gathering = true;
        } else {
            // Behind what else is due by now: under a steady load a loop would never let reads and retries in.
            post();
        }
    }

    private void gathered() {
        gathering = false;
        run();
    }

    private void endIfDue(PendingOperation operation) {
        if (closed) {
            operation.fail(environment.closed());
            // Only an error on this thread, which has closed the engine, leaves one behind that nobody follows.
            operation.lost(environment.closed());
        } else if (environment.clock().nowNanos() > operation.deadlineNanos()) {
            operation.fail(operation.outOfTime());
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
            environment.clock().nextStampNanos(planned.at().nowNanos());
            settlement.stamped(planned.at());
            Planned alone = session.vouchesForTheClock() ? planned.alone(singleWritesMax) : planned.none();
            writing.alone(alone);
            writing.together(planned.without(alone).forOneTransaction());
        }
    }

    /** Reads what the view lacks. What was read is fresh enough for a refusal. */
    private Set<String> readMissing(List<PendingOperation> batch) {
        Set<String> names = new HashSet<>();
        for (PendingOperation operation : batch) {
            if (operation.tries().mustRead() || !planner.knows(operation.name())) {
                names.add(operation.name());
            }
        }
        if (!names.isEmpty()) {
            reader.read(names);
        }
        batch.forEach(operation -> operation.tries().wasRead());
        return names;
    }
}
