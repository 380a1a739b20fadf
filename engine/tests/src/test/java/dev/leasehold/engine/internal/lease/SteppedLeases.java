package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.commit.SteppedPartition;
import dev.leasehold.engine.internal.election.Elections;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.ScriptedChanges;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What callers of one engine acquire, hold, lose and observe, run step by step on the simulated database. */
final class SteppedLeases {

    static final String NAMESPACE = SteppedPartition.NAMESPACE;
    static final long SECOND = SteppedPartition.SECOND;
    static final long SESSION = SteppedPartition.SESSION;
    static final long BUDGET = 10 * SECOND;
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    /** The writer of another engine. */
    static final String OTHER = "b#1";

    final RecordedMetrics meters = new RecordedMetrics();
    final TestClock clock;
    final SteppedRuntime runtime;
    final ScriptedStore store;
    final ScriptedChanges changes;
    final PartitionEngine partition;
    final EngineCallbacks callbacks;
    final LeaseManager leaseManager;
    final Elections elections;

    private final List<Request> sent = new ArrayList<>();
    private final List<Set<String>> polls = new ArrayList<>();
    private Runnable beforeSubmit = () -> {};
    private @Nullable Error atNextCallback;
    private boolean callbacksBlocked;
    private long otherStamps;

    SteppedLeases() {
        this(0, false);
    }

    /** One that takes part in the wait queues. */
    static SteppedLeases withTickets() {
        return new SteppedLeases(0, true);
    }

    /** One whose clocks may drift by so many parts in a million. */
    static SteppedLeases withDrift(int ppm) {
        return new SteppedLeases(ppm, false);
    }

    private SteppedLeases(int driftPpm, boolean waitQueue) {
        EngineSettings settings = new EngineSettings(
                NAMESPACE,
                1,
                "a",
                new Drift(driftPpm),
                BUDGET,
                5 * SECOND,
                3600 * SECOND,
                3600 * SECOND,
                SESSION,
                SESSION / 3,
                EngineSettings.SINGLE_WRITES_MAX,
                waitQueue);
        SteppedPartition stepped = new SteppedPartition(meters, settings);
        clock = stepped.clock;
        runtime = stepped.runtime;
        store = stepped.store;
        changes = store.stream();
        partition = stepped.partition;
        callbacks = runtime.startCallbacks("callbacks");
        Partitions recorded = recorded(new PartitionRouter(NAMESPACE, List.of(partition)));
        leaseManager = new LeaseManager(
                settings,
                new Operations(settings, recorded, runtime, meters),
                recorded,
                runtime,
                meters,
                this::callBack,
                partition::changes,
                tenure -> {
                    throw new UnsupportedOperationException("assertions need a collection");
                });
        partition.validities().listener(leaseManager);
        elections = new Elections(leaseManager);
    }

    /** The partition, with a record of what it is asked. */
    private Partitions recorded(PartitionRouter router) {
        return (Partitions) Proxy.newProxyInstance(
                Partitions.class.getClassLoader(),
                new Class<?>[] {Partitions.class},
                (proxy, method, arguments) -> recorded(router, method, arguments));
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object recorded(PartitionRouter router, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("submit")) {
            Runnable before = beforeSubmit;
            beforeSubmit = () -> {};
            before.run();
            sent.add(((PendingOperation) arguments[0]).request());
        } else if (method.getName().equals("poll")) {
            polls.add((Set<String>) arguments[0]);
        }
        try {
            return method.invoke(router, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    StampClock clock() {
        return partition.clock();
    }

    // ---- callers ----

    Lease acquire(LeaseRequest request) throws InterruptedException {
        return leaseManager.tryAcquire(request, Duration.ZERO).orElseThrow();
    }

    Lease acquire(String name) throws InterruptedException {
        return acquire(LeaseRequest.of(name));
    }

    /** Begins to wait, and lets everything happen that happens at once. */
    CompletableFuture<Acquisition> waits(LeaseRequest request, Duration wait) {
        CompletableFuture<Acquisition> waiting = asks(request, wait);
        runtime.runDue();
        return waiting;
    }

    /** The same, and nothing has happened yet. */
    CompletableFuture<Acquisition> asks(LeaseRequest request, Duration wait) {
        return leaseManager.tryAcquireAsync(request, wait).toCompletableFuture();
    }

    /** The next callback finds no thread that takes it. */
    void throwAtNextCallback(Error error) {
        atNextCallback = error;
    }

    /** From now on all threads for callbacks are busy for good. */
    void blockCallbacks() {
        callbacksBlocked = true;
    }

    private void callBack(Runnable task) {
        if (callbacksBlocked) {
            return;
        }
        Error error = atNextCallback;
        if (error != null) {
            atNextCallback = null;
            throw error;
        }
        callbacks.execute(task);
    }

    // ---- other engines ----

    /** Another engine's holder has it for so long from now. */
    Tenure heldByAnother(String name, String holder, long forNanos) {
        return put(name, holder, forNanos, Set.of(), 1).tenure();
    }

    /** Another engine's holder has it for longer than any test takes. */
    Tenure heldByAnother(String name, String holder) {
        return heldByAnother(name, holder, 365 * 24 * HOUR.toNanos());
    }

    /** Another engine's session keeps it. */
    void keptByASession(String name, String holder) {
        keptByASession(name, holder, SESSION);
    }

    /** The same, whose heartbeats are expected seldom. */
    void keptByALongSession(String name, String holder) {
        keptByASession(name, holder, 20 * SESSION);
    }

    private void keptByASession(String name, String holder, long sessionNanos) {
        store.put(new WriterEntry.Sound(OTHER, ++otherStamps, null, sessionNanos, null));
        put(name, holder, null, Set.of(), 1);
    }

    /** A holder of another engine waits for it, whose session is so long. No change tells of that. */
    void waitedForElsewhere(String name, String holder, int priority, long sessionNanos) {
        String writer = holder + "#1";
        store.put(new WriterEntry.Sound(writer, ++otherStamps, null, sessionNanos, null));
        store.enqueue(name, new Waiter(writer, otherStamps, holder, priority, null, 0, null));
    }

    /** Another engine ends the tenure, whichever holder has it. */
    void vacate(String name) {
        put(name, null, null, Set.of(), 0);
    }

    /** The same, and the stream tells of it. */
    void free(String name) {
        vacate(name);
        changes.tell(new LeaseChange.Freed(name, null));
    }

    void pin(String name) {
        put(name, null, null, Set.of("maintenance"), 0);
    }

    /** Another engine's holder has it, and it is pinned. */
    void pinnedFor(String name, String holder) {
        put(name, holder, HOUR.toNanos(), Set.of("maintenance"), 1);
    }

    /** An operator pins it, or lifts that pin, whichever process holds it. */
    void pin(String name, boolean pinned) {
        store.put(store.document(name).withPin("maintenance", pinned));
    }

    private LeaseDocument put(
            String name, @Nullable String holder, @Nullable Long forNanos, Set<String> pins, int tokens) {
        long token = (store.has(name) ? store.document(name).token() : 0) + tokens;
        LeaseDocument document = byAnother(name, holder, Math.max(1, token), forNanos, pins);
        store.put(document);
        return document;
    }

    /** A document as another engine would write it now. */
    LeaseDocument byAnother(String name, @Nullable String holder, long token) {
        return byAnother(name, holder, token, null, Set.of());
    }

    private LeaseDocument byAnother(
            String name, @Nullable String holder, long token, @Nullable Long forNanos, Set<String> pins) {
        long writtenNanos = ++otherStamps;
        Long expiryNanos = forNanos == null ? null : writtenNanos + forNanos;
        return new LeaseDocument(
                NAMESPACE,
                name,
                holder,
                token,
                OTHER,
                writtenNanos,
                expiryNanos,
                0,
                null,
                Instant.EPOCH,
                pins,
                0,
                null);
    }

    @Nullable Tenure holding(String name) {
        LeaseDocument document = store.has(name) ? store.document(name) : null;
        return document == null || document.isVacant() ? null : document.tenure();
    }

    // ---- a database that fails ----

    /** This happens while the database does not answer a read, so that nothing else is sent. */
    void whileUnanswered(Runnable meanwhile) {
        boolean[] done = new boolean[1];
        store.onRead(() -> {
            meanwhile.run();
            done[0] = true;
            throw new LeaseUnavailableException("no answer", null);
        });
        partition.reads().poll(Set.of("unanswered"), clock().nowNanos());
        runtime.runDue();
        assertThat(done).containsExactly(true);
    }

    /** The next operations that write a lease fail. */
    void refuseWrites(int times, LeaseException failure) {
        for (int i = 0; i < times; i++) {
            store.onWrite(write -> WriteOutcome.failed(failure));
        }
    }

    /** The next reads of leases fail. */
    void failReads(int times) {
        for (int i = 0; i < times; i++) {
            store.onRead(ScriptedStore.failing(new LeaseStoreException("no right to read", null)));
        }
    }

    // ---- what the partition was asked ----

    /** Before the next operation is taken this happens; it may throw. */
    void beforeSubmit(Runnable script) {
        beforeSubmit = script;
    }

    List<Request> sent() {
        return sent;
    }

    <R extends Request> List<R> sent(Class<R> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<Set<String>> polls() {
        return polls;
    }
}
