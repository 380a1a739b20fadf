package dev.leasehold.engine.internal.partition;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.CommitLoop;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.health.HealthReport;
import dev.leasehold.engine.internal.health.ObservedStore;
import dev.leasehold.engine.internal.health.StoreHealth;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.recovery.RecoveringStore;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an engine that share a thread and a cache. There is one per partition of the namespace; they are
 * independent of each other.
 */
public final class PartitionEngine {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionEngine.class);

    /** How many leases an engine caches in all partitions: far more than a transaction has, a few megabytes at most. */
    private static final int CACHE_LIMIT = 10_000;

    /** The longest time between two looks at the writers, and the time between two surveys. */
    private static final long LOOK_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** With many writers a look is rarer: it brings some sixty bytes of each, and so six kilobytes a second at most. */
    private static final long LOOK_NANOS_A_WRITER = TimeUnit.MILLISECONDS.toNanos(10);

    private final PartitionContext context;
    private final EngineThread thread;
    private final EngineMetrics metrics;
    private final long heartbeatNanos;
    private final long operationBudgetNanos;
    private final StoreHealth storeHealth;
    private final WriterRegistration registration;
    private final Session session;
    private final LeaseReader reads;
    private final CommitLoop commitLoop;
    /** A task from outside. Whatever the thread does next, it runs this first, so that it never waits for the database. */
    private final AtomicReference<@Nullable Runnable> accepted = new AtomicReference<>();

    private final long lookNanos;
    /** How long was waited since the last look. The waits are added up, so that no clock is asked. Engine thread only. */
    private long sinceLookNanos;
    /** The same since the last survey; the first look is one. Engine thread only. */
    private long sinceSurveyNanos = LOOK_MAX_NANOS;

    private volatile boolean stopping;

    /**
     * Assembles the parts. Reads and writes nothing yet.
     *
     * @param settings of the engine
     * @param metrics not closed by this class
     */
    public PartitionEngine(
            EngineSettings settings,
            Partition partition,
            LeaseStore bareStore,
            EngineRuntime runtime,
            EngineThread thread,
            StampClock clock,
            EngineMetrics metrics) {
        this.thread = thread;
        this.metrics = metrics;
        this.heartbeatNanos = settings.heartbeatNanos();
        this.operationBudgetNanos = settings.operationBudgetNanos();
        this.lookNanos = lookNanos(settings.heartbeatNanos(), partition.count());
        this.storeHealth = new StoreHealth(runtime.clock(), settings.operationBudgetNanos());
        String id = partition.id();
        LeaseStore failStop = new FailStopStore(bareStore, runtime, id);
        LeaseStore observed = new ObservedStore(
                id, failStop, runtime.clock(), storeHealth, metrics, this::runAccepted, this::onClockLost);
        // For a partition at least one page of a listing.
        int cacheLimit = Math.max(CACHE_LIMIT / partition.count(), LeaseReader.PAGE_SIZE);
        LeaseStore store = new RecoveringStore(id, observed, thread, clock, metrics);
        LeaseCache cache = new LeaseCache(id, settings.drift(), settings.retentionNanos(), cacheLimit);
        ValidityTracker validities = new ValidityTracker(clock);
        this.context = new PartitionContext(id, store, runtime, thread, clock, cache, validities);
        this.registration = new WriterRegistration(context, settings.instance());
        this.session = new Session(context, settings.sessionNanos(), heartbeatNanos, registration);
        this.reads = new LeaseReader(context, registration, settings.drift(), metrics, this::isOutcomeUnknown);
        this.commitLoop = new CommitLoop(context, settings.singleWritesMax(), reads, registration, session, metrics);
    }

    private boolean isOutcomeUnknown() {
        return commitLoop.isOutcomeUnknown();
    }

    public CommitLoop commitLoop() {
        return commitLoop;
    }

    public LeaseReader reads() {
        return reads;
    }

    public ValidityTracker validities() {
        return context.validities();
    }

    public StampClock clock() {
        return context.clock();
    }

    public String writer() {
        return registration.writer();
    }

    /** The id of the partition. */
    public String id() {
        return context.namespace();
    }

    /** Its part of the engine's health report. Any thread. */
    public HealthReport.Part health() {
        return new HealthReport.Part(id(), storeHealth.failure(), commitLoop.isOutcomeUnknown());
    }

    /**
     * Why the newest heartbeat failed or could not be sent in time, because a command has been unanswered for so long;
     * null if all is well or there is no session.
     */
    public @Nullable LeaseException heartbeatFailure() {
        LeaseException failure = session.lastFailure();
        long unansweredNanos = failure == null ? storeHealth.unansweredNanos() : 0;
        return unansweredNanos > heartbeatNanos
                ? new LeaseUnavailableException(
                        "namespace '" + context.namespace() + "': " + StoreHealth.noAnswerFor(unansweredNanos), null)
                : failure;
    }

    /**
     * Runs the task on the thread of this partition, before that sends its next command. False: it was not accepted, since
     * a command is unanswered, maybe by a slow database, or since another task was accepted.
     */
    public boolean executeUnlessSending(Runnable task) {
        if (storeHealth.isUnanswered() || !accepted.compareAndSet(null, task)) {
            return false;
        }
        if (storeHealth.isUnanswered() || stopping) {
            // A command has begun meanwhile, or the thread has stopped. Unless it was run before, it is not accepted.
            return !accepted.compareAndSet(task, null);
        }
        thread.execute(this::runAccepted);
        return true;
    }

    private void runAccepted() {
        Runnable task = accepted.getAndSet(null);
        if (task != null) {
            task.run();
        }
    }

    /** A read has found no clock document. */
    private void onClockLost() {
        registration.clockLost("the clock document, or its map of writers, is gone");
    }

    /**
     * A change has reported that the clock document is gone. All validities end here and now. The engine then reads whether
     * the change was about an earlier document than the one that its writer is registered in. Any thread.
     */
    public void clockReportedLost() {
        context.validities().endAll(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
        examine();
    }

    /** A change has reported that a writer's entry was removed. It is never made again. Any thread. */
    void reportedGone(String writer) {
        if (registration.writer().equals(writer)) {
            context.validities().evicted();
            examine();
        }
    }

    /** Reads leases that are waited for or held. Any thread. */
    CompletableFuture<LeaseReader.Polled> poll(Set<String> names, long deadlineNanos) {
        thread.execute(commitLoop::retryRenewals);
        return reads.poll(names, deadlineNanos);
    }

    /** Reads the entry of the present writer, and draws the conclusions. Any thread. */
    void examine() {
        long deadlineNanos = context.clock().inNanos(operationBudgetNanos);
        reads.poll(Set.of(), deadlineNanos)
                .whenComplete((polled, failure) -> LOG.debug("{}: its entry was examined", registration, failure));
    }

    /** A change has shown a lease that this engine keeps. Any thread. */
    void judge(LeaseDocument shown) {
        thread.execute(() -> reads.judge(shown));
    }

    /** Sends heartbeats of the present writer often until an instant of the engine's clock, however late its thread begins with that. Any thread. */
    public void hasten(long untilNanos) {
        String writer = registration.writer();
        thread.execute(() -> {
            if (registration.writer().equals(writer)) {
                session.hasten(untilNanos);
            }
        });
    }

    /** Tells the cache of a lease that was vacant a moment ago. Any thread. */
    void noteVacant(LeaseDocument vacant) {
        thread.execute(() -> context.cache().noteVacant(vacant));
    }

    /** As {@link dev.leasehold.engine.internal.store.LeaseStore#changes(boolean)}. */
    public LeaseChanges changes(boolean observing) {
        return context.store().changes(observing);
    }

    /**
     * Removes the entries of stale writers, all or none. Completes with what became of it; what is not removed, the next
     * housekeeping tries again. Withheld while an outcome is unknown, since any write could destroy the evidence.
     */
    public CompletableFuture<WriteOutcome.Verdict> prune(List<WriterEntry.Sound> stale, long deadlineNanos) {
        return reads.submit(() -> pruneNow(stale), deadlineNanos);
    }

    /** A miss may have any reason: the read that follows finds out whether there is a clock document. */
    private WriteOutcome.Verdict pruneNow(List<WriterEntry.Sound> stale) {
        if (commitLoop.isOutcomeUnknown()) {
            return WriteOutcome.Verdict.WITHHELD;
        }
        WriteOutcome.Verdict verdict =
                context.store().writeClock(ClockWrite.Clear.of(stale)).verdict();
        if (verdict == WriteOutcome.Verdict.MISSED) {
            reads.read(Set.of());
        }
        return verdict;
    }

    // ---- the clock document as a whole ----

    /**
     * Starts to read the newest stamps of all writers from time to time: the first ask for a lease of a writer that died long
     * ago then need not wait. If there are metrics, one read a minute is of the whole clock document. Also an idle
     * engine learns by these reads that the database does not answer, or answers again.
     */
    public void startLooking() {
        thread.execute(this::look);
    }

    /** One look per heartbeat period in all partitions together, and one a minute in each at least. */
    public static long lookNanos(long heartbeatNanos, int partitions) {
        return heartbeatNanos >= LOOK_MAX_NANOS / partitions ? LOOK_MAX_NANOS : heartbeatNanos * partitions;
    }

    /** The time from one look to the next. */
    public static long nextLookNanos(long lookNanos, int writers) {
        return Math.min(LOOK_MAX_NANOS, Math.max(lookNanos, writers * LOOK_NANOS_A_WRITER));
    }

    private void look() {
        if (context.runtime().hasFailed()) {
            return;
        }
        long nextNanos = lookNanos;
        try {
            if (mayLook()) {
                commitLoop.retryRenewals();
                sinceLookNanos = 0;
                nextNanos = nextLookNanos(lookNanos, lookNow());
            }
        } catch (LeaseException e) {
            LOG.debug("{}: the writers were not read: {}", registration, e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("{}: the read of the writers failed unexpectedly", registration, e);
        } finally {
            sinceLookNanos += nextNanos;
            sinceSurveyNanos += nextNanos;
            thread.executeAfter(nextNanos, this::look);
        }
    }

    /** While the database fails, a look would delay the next heartbeat. */
    private boolean mayLook() {
        return !registration.isJoined() || storeHealth.failure() == null || sinceLookNanos >= LOOK_MAX_NANOS;
    }

    private int lookNow() {
        if (metrics.measures() && sinceSurveyNanos >= LOOK_MAX_NANOS) {
            sinceSurveyNanos = 0;
            return reads.surveyWriters();
        }
        return reads.lookAtWriters();
    }

    // ---- the end ----

    /**
     * Ends all validities at once. Then waits for {@code done}, but not longer than the limit, fails the queued
     * operations, removes the engine from the clock document and returns its driver session.
     *
     * @param done work that still needs this engine
     * @param limitNanos the longest wait for it
     * @param keeping whether the entry and its session leases stay until other engines find them expired
     * @return completes when the engine is closed
     */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        context.validities().close();
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

    /**
     * An error has ended the engine: fails what waits here. Without this, callers would wait until the engine is closed,
     * which waits for their answers.
     */
    public void fail() {
        commitLoop.fail();
        reads.close();
    }

    private void close(CompletableFuture<Void> closed, boolean keeping) {
        commitLoop.close();
        reads.close();
        thread.execute(() -> {
            try {
                if (commitLoop.isOutcomeUnknown()) {
                    context.store().writeClock(new ClockWrite.Barrier(registration.writer()));
                }
                leave(keeping);
            } finally {
                try {
                    context.store().close();
                } finally {
                    closed.complete(null);
                }
            }
        });
        stopping = true;
        thread.stop();
    }

    /**
     * Removes the writer's entry, or only its driver session. Runs before the driver session is closed, since the driver
     * reuses it for the application's next session. The whole entry is removed if there is a session, which frees all
     * session leases at once, or if no lease is held by this writer. Else the entry stays, since other engines judge its
     * term leases by it.
     */
    private void leave(boolean keeping) {
        session.end();
        if (registration.isRegistered()) {
            String writer = registration.writer();
            boolean all =
                    !keeping && (registration.isJoined() || !context.cache().holdsOwn());
            WriteOutcome outcome =
                    context.store().writeClock(all ? new ClockWrite.Leave(writer) : new ClockWrite.Unlist(writer));
            if (outcome.cause() != null) {
                LOG.warn(
                        "{}: could not take {} out of the clock document: {}",
                        registration,
                        all ? "its entry" : "its driver session",
                        outcome.cause().getMessage());
            }
        }
    }
}
