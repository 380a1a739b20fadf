package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.ObservedStore;
import dev.leasehold.engine.internal.metrics.StoreHealth;
import dev.leasehold.engine.internal.recovery.RecoveringStore;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.StaleWriters;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.HeartbeatSchedule;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one engine that share a thread and a view, put together. There is one for each partition of the namespace;
 * they know nothing of each other.
 */
public final class PartitionEngine {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionEngine.class);

    /** How many leases an engine remembers in all partitions: far more than a transaction holds, some megabytes at the most. */
    private static final int VIEW_LIMIT = 10_000;

    /** However many partitions there are, each remembers what one listing reads at a time. */
    private static final int PARTITION_VIEW_LIMIT = LeaseReader.PAGE_SIZE;

    private final String namespace;
    private final LeaseStore store;
    private final LeaseCache cache;
    private final PartitionThread thread;
    private final EngineMetrics metrics;
    private final long heartbeatNanos;
    private final StoreHealth storeHealth;
    private final WriterRegistration registration;
    private final StampClock clock;
    private final ValidityTracker validities;
    private final Session session;
    private final ReadLoop reads;
    private final CommitLoop commitLoop;
    private final ClockProbe startProbe;

    /**
     * Puts the parts together. Nothing is read or written yet.
     *
     * @param settings of the engine in this partition
     * @param bareStore where the documents are
     * @param clock local time of the engine, with the stamps of this partition
     * @param metrics stay open
     */
    public PartitionEngine(
            EngineSettings settings,
            LeaseStore bareStore,
            EngineRuntime runtime,
            EngineThread thread,
            StampClock clock,
            EngineMetrics metrics) {
        this.namespace = settings.namespace();
        this.thread = new PartitionThread(thread);
        this.metrics = metrics;
        this.clock = clock;
        this.heartbeatNanos = settings.heartbeatNanos();
        this.storeHealth = new StoreHealth(runtime.clock(), settings.operationBudgetNanos());
        this.store = new RecoveringStore(
                namespace, new ObservedStore(bareStore, runtime.clock(), storeHealth, metrics), this.thread, clock, metrics);
        this.validities = new ValidityTracker(clock);
        this.cache = new LeaseCache(namespace, settings.drift(), settings.retentionNanos(), viewLimit(settings));
        PartitionContext context = new PartitionContext(namespace, store, runtime, this.thread, clock);
        this.registration = new WriterRegistration(context, settings.instance(), cache, validities);
        this.session = new Session(
                context,
                settings.sessionNanos(),
                new HeartbeatSchedule(settings.heartbeatNanos()),
                registration,
                cache,
                validities);
        LeaseReader reader = new LeaseReader(context, cache, registration, new StaleWriters(settings.drift()), metrics);
        OutcomeApplier applier = new OutcomeApplier(cache, validities, session, metrics);
        BatchPlanner planner = new BatchPlanner(namespace, clock, cache, validities, registration, applier);
        this.reads = new ReadLoop(context, reader);
        this.commitLoop =
                new CommitLoop(context, settings.singleWritesMax(), reader, registration, session, planner, applier);
        this.startProbe = new ClockProbe(context, registration, metrics, storeHealth);
    }

    private static int viewLimit(EngineSettings settings) {
        return Math.max(VIEW_LIMIT / settings.partitions(), PARTITION_VIEW_LIMIT);
    }

    /** Begins to survey the clock document every minute, see {@link ClockProbe}. */
    public void startProbe() {
        thread.execute(startProbe);
    }

    /** Under which name this engine writes at present. */
    public String writer() {
        return registration.writer();
    }

    public StampClock clock() {
        return clock;
    }

    public ValidityTracker validities() {
        return validities;
    }

    /** How the last command to the database ended. */
    public StoreHealth storeHealth() {
        return storeHealth;
    }

    /** Whether the outcome of a write is being found out. Any thread may ask. */
    public boolean isOutcomeUnknown() {
        return commitLoop.isOutcomeUnknown();
    }

    /** Why the newest heartbeat failed, or could not be sent in time; null if it did not, or there is no session. */
    public @Nullable LeaseException heartbeatFailure() {
        LeaseException trouble = session.lastFailure();
        return trouble == null ? commandAhead() : trouble;
    }

    /** A command without an answer, behind which a heartbeat has waited since it was due. */
    private @Nullable LeaseException commandAhead() {
        long unansweredNanos = storeHealth.unansweredNanos();
        return unansweredNanos > heartbeatNanos
                ? new LeaseUnavailableException(
                        "namespace '" + namespace + "': " + StoreHealth.noAnswerFor(unansweredNanos), null)
                : null;
    }

    /** Runs the task on the thread of this partition if that has nothing to do. False: the task was not taken. */
    public boolean executeIfIdle(Runnable task) {
        return thread.executeIfIdle(task);
    }

    /** Takes note of a lease that was vacant a moment ago. Any thread may tell. */
    public void noteVacant(LeaseDocument vacant) {
        thread.execute(() -> cache.noteVacant(vacant));
    }

    /** Begins to watch for leases that others end, in all partitions. Sends nothing yet. */
    public LeaseChanges changes() {
        return store.changes();
    }

    public ReadLoop reads() {
        return reads;
    }

    public CommitLoop commitLoop() {
        return commitLoop;
    }

    /**
     * Removes the entry of a writer that has been silent for too long. Completes with whether it did; the next housekeeping
     * comes back to it. Not while an outcome is being found out, since any write would take away the means.
     */
    public CompletableFuture<Boolean> prune(ClockWrite removal, long deadlineNanos) {
        return reads.submit(
                () -> !commitLoop.isOutcomeUnknown()
                        && store.writeClock(removal).verdict() == WriteOutcome.Verdict.APPLIED,
                deadlineNanos);
    }

    /**
     * Ends all beliefs, and, once something is done or its time is over, refuses what waits, takes the engine out of the clock
     * document and gives its driver session back.
     *
     * @param done what still needs this engine
     * @param limitNanos for how long it is waited for
     * @return completes when nothing of the engine is left
     */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos) {
        return closeAfter(done, limitNanos, false);
    }

    /**
     * The same.
     *
     * @param keeping whether the entry stays with all that the session keeps, for others to judge by, until its time is over
     */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        validities.close();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        AtomicBoolean begun = new AtomicBoolean();
        Runnable closing = () -> {
            if (begun.compareAndSet(false, true)) {
                close(closed, keeping);
            }
        };
        done.whenComplete((result, failure) -> thread.execute(closing));
        thread.executeAfter(limitNanos, closing);
        return closed;
    }

    private void close(CompletableFuture<Void> closed, boolean keeping) {
        commitLoop.close();
        reads.close();
        thread.execute(() -> {
            try {
                leaveAndClose(keeping);
            } finally {
                closed.complete(null);
            }
        });
        thread.stop();
    }

    private void leaveAndClose(boolean keeping) {
        try {
            if (commitLoop.isOutcomeUnknown()) {
                store.writeClock(new ClockWrite.Barrier(registration.writer()));
            }
            leave(keeping);
        } finally {
            store.close();
        }
    }

    /**
     * Before the driver session is closed, since the driver hands it on to the application's next session. Where there is a
     * session of leases the whole entry goes, which frees them all at once; and so it does where no lease is held by what it
     * wrote. Else it stays, for others to judge the terms by.
     */
    private void leave(boolean keeping) {
        session.end();
        if (registration.isRegistered()) {
            String writer = registration.writer();
            boolean all = !keeping && (registration.isJoined() || !cache.holdsOwn());
            WriteOutcome outcome = store.writeClock(all ? new ClockWrite.Leave(writer) : new ClockWrite.Unlist(writer));
            if (outcome.cause() != null) {
                LOG.warn(
                        "namespace '{}', writer '{}': could not take {} out of the clock document: {}",
                        namespace,
                        writer,
                        all ? "its entry" : "its driver session",
                        outcome.cause().getMessage());
            }
        }
    }
}
