package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.meters.Dealings;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.meters.MeteredStore;
import dev.leasehold.engine.meters.WatchedStore;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.SilentWriters;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseChanges;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one engine that share a thread and a view, put together. There is one for each partition of the namespace;
 * they know nothing of each other.
 */
public final class CommitPath {

    private static final Logger LOG = LoggerFactory.getLogger(CommitPath.class);

    /** How many leases an engine remembers in all partitions: far more than a transaction holds, some megabytes at the most. */
    private static final int VIEW_LIMIT = 10_000;

    /** However many partitions there are, each remembers what one listing reads at a time. */
    private static final int PARTITION_VIEW_LIMIT = LeaseReader.PAGE_SIZE;

    private final String namespace;
    private final LeaseStore store;
    private final LeaseView view;
    private final EngineThread thread;
    private final EngineMeters meters;
    private final long heartbeatNanos;
    private final Dealings dealings;
    private final Registration registration;
    private final StampClock clock;
    private final Beliefs beliefs;
    private final Session session;
    private final Reads reads;
    private final GroupCommit groupCommit;
    private final Survey survey;

    /**
     * Puts the parts together. Nothing is read or written yet.
     *
     * @param settings of the engine in this partition
     * @param bareStore where the documents are
     * @param clock local time of the engine, with the stamps of this partition
     * @param meters stay open
     */
    public CommitPath(
            EngineSettings settings,
            LeaseStore bareStore,
            EngineRuntime runtime,
            EngineThread thread,
            StampClock clock,
            EngineMeters meters) {
        this.namespace = settings.namespace();
        this.thread = thread;
        this.meters = meters;
        this.clock = clock;
        this.heartbeatNanos = settings.heartbeatNanos();
        this.dealings = new Dealings(runtime.clock(), settings.operationBudgetNanos());
        this.store = new RescuingStore(
                namespace,
                new LostAborts(
                        namespace,
                        new MeteredStore(new WatchedStore(bareStore, dealings), runtime.clock(), meters),
                        thread,
                        clock),
                clock,
                meters);
        this.beliefs = new Beliefs(clock);
        this.view = new LeaseView(namespace, settings.drift(), settings.retentionNanos(), viewLimit(settings));
        Environment environment = new Environment(namespace, store, runtime, thread, clock);
        this.registration = new Registration(environment, settings.instance(), view, beliefs);
        this.session = new Session(
                environment,
                settings.sessionNanos(),
                new HeartbeatSchedule(settings.heartbeatNanos()),
                registration,
                view,
                beliefs);
        LeaseReader reader =
                new LeaseReader(environment, view, registration, new SilentWriters(settings.drift()), meters);
        Settlement settlement = new Settlement(view, beliefs, session, meters);
        Planner planner = new Planner(namespace, clock, view, beliefs, registration, settlement);
        this.reads = new Reads(environment, reader);
        this.groupCommit = new GroupCommit(
                environment, settings.singleWritesMax(), reader, registration, session, planner, settlement);
        this.survey = new Survey(environment, registration, meters, dealings);
    }

    private static int viewLimit(EngineSettings settings) {
        return Math.max(VIEW_LIMIT / settings.partitions(), PARTITION_VIEW_LIMIT);
    }

    /** Begins to look at the whole clock document now and then, where there is somebody to tell. */
    public void survey() {
        thread.execute(survey);
    }

    /** Under which name this engine writes at present. */
    public String writer() {
        return registration.writer();
    }

    public StampClock clock() {
        return clock;
    }

    public Beliefs beliefs() {
        return beliefs;
    }

    /** How the last dealing with the database went. */
    public Dealings dealings() {
        return dealings;
    }

    /** Whether the outcome of a write is being found out. Any thread may ask. */
    public boolean isInDoubt() {
        return groupCommit.isInDoubt();
    }

    /** Why the newest heartbeat failed, or could not be sent in time; null if it did not, or there is no session. */
    public @Nullable LeaseException renewalTrouble() {
        LeaseException trouble = session.trouble();
        return trouble == null ? commandAhead() : trouble;
    }

    /** A command without an answer, behind which a heartbeat has waited since it was due. */
    private @Nullable LeaseException commandAhead() {
        long unansweredNanos = dealings.unansweredNanos();
        return unansweredNanos > heartbeatNanos
                ? new LeaseUnavailableException(
                        "namespace '" + namespace + "': " + Dealings.noAnswerFor(unansweredNanos), null)
                : null;
    }

    /** Takes note of a lease that was vacant a moment ago. Any thread may tell. */
    public void heardOf(LeaseDocument vacant) {
        thread.execute(() -> view.heardOf(vacant));
    }

    /** Begins to watch for leases that others end, in all partitions. Sends nothing yet. */
    public LeaseChanges changes() {
        return store.changes();
    }

    public Reads reads() {
        return reads;
    }

    public GroupCommit groupCommit() {
        return groupCommit;
    }

    /**
     * Removes the entry of a writer that has been silent for too long. Completes with whether it did; the next housekeeping
     * comes back to it. Not while an outcome is being found out, since any write would take away the means.
     */
    public CompletableFuture<Boolean> prune(ClockWrite removal, long deadlineNanos) {
        return reads.submit(
                () -> !groupCommit.isInDoubt() && store.writeClock(removal).verdict() == WriteOutcome.Verdict.APPLIED,
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
        beliefs.close();
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
        groupCommit.close();
        reads.close();
        thread.execute(() -> {
            try {
                giveSessionBack(keeping);
            } finally {
                closed.complete(null);
            }
        });
        thread.stop();
    }

    private void giveSessionBack(boolean keeping) {
        try {
            if (groupCommit.isInDoubt()) {
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
            boolean all = !keeping && (registration.isJoined() || !view.holdsOwn());
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
