package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesRead;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.rules.WriterSights;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.RetryWindow;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.ClockWentBackException;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.Observation;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads leases and updates the cache, taking the clock before and after each read. For a round of the commit loop it reads
 * at once, on the engine thread. What callers request runs there too, as a task, and is retried until its deadline.
 */
public final class LeaseReader {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseReader.class);

    /** The largest number of leases in one read, so that other work of the engine can run in between. */
    public static final int PAGE_SIZE = LeaseCache.QUEUES_MAX;

    private final PartitionContext context;
    private final StampClock clock;
    private final LeaseCache cache;
    private final WriterRegistration registration;
    private final Drift drift;
    private final EngineMetrics metrics;
    private final BooleanSupplier outcomeUnknown;
    /** By the order of submission, in which {@link #close} fails them. */
    private final Map<Long, CompletableFuture<?>> waiting = new ConcurrentSkipListMap<>();

    private final AtomicLong submitted = new AtomicLong();
    private final Set<String> corruptQueues = new HashSet<>();
    /** The leases that were seen to be kept by the session while an outcome was unknown. Engine thread only. */
    private final Set<String> unjudged = new HashSet<>();

    private volatile boolean closed;

    public LeaseReader(
            PartitionContext context,
            WriterRegistration registration,
            Drift drift,
            EngineMetrics metrics,
            BooleanSupplier outcomeUnknown) {
        this.outcomeUnknown = outcomeUnknown;
        this.context = context;
        this.clock = context.clock();
        this.cache = context.cache();
        this.registration = registration;
        this.drift = drift;
        this.metrics = metrics;
    }

    /**
     * The states of polled leases.
     *
     * @param states one for each name
     * @param nextNanos on the engine's clock, when a poll will probably show a renewal by the session of another engine;
     *     {@link Long#MAX_VALUE} if none of them is kept by such a session
     * @param queues by lease
     */
    public record Polled(List<LeaseState> states, long nextNanos, Map<String, QueueView> queues) {

        public QueueView queue(String lease) {
            return queues.getOrDefault(lease, QueueView.NONE);
        }
    }

    /**
     * A page of the listing of all leases.
     *
     * @param leases what was observed
     * @param nowNanos when the read ended
     * @param lastId where the next page begins; null at the end
     */
    public record Page(
            List<ObservedLease> leases,
            long nowNanos,
            @Nullable String lastId) {}

    /** Splits the names into one part per read, in their order. */
    public static List<Set<String>> parts(Collection<String> names) {
        List<String> all = List.copyOf(names);
        List<Set<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += PAGE_SIZE) {
            parts.add(new LinkedHashSet<>(all.subList(from, Math.min(all.size(), from + PAGE_SIZE))));
        }
        return parts;
    }

    // ---- for callers, on any thread ----

    /** Reads leases, at most as many as one read takes. */
    public CompletableFuture<Polled> poll(Set<String> names, long deadlineNanos) {
        return submit(() -> pollNow(names), deadlineNanos);
    }

    /** Reads the next page of all leases, from the highest id down. */
    public CompletableFuture<Page> page(@Nullable String belowId, long deadlineNanos) {
        return submit(() -> pageNow(belowId), deadlineNanos);
    }

    /** Reads the entries of all writers, and returns the stale ones. */
    public CompletableFuture<List<WriterEntry.Sound>> silentWriters(long deadlineNanos) {
        return submit(this::silentWritersNow, deadlineNanos);
    }

    /** A call of the store that nothing else here takes part in: a read, or a removal that throws as reads do. */
    public <T> CompletableFuture<T> ofStore(Function<LeaseStore, T> call, long deadlineNanos) {
        return submit(() -> call.apply(context.store()), deadlineNanos);
    }

    /** Fails the reads that have no result yet, and all later ones. */
    public void close() {
        closed = true;
        waiting.values().forEach(result -> result.completeExceptionally(context.closed()));
    }

    /** Runs a task on the engine thread, and retries it while the database is unavailable, until the deadline. */
    public <T> CompletableFuture<T> submit(Supplier<T> read, long deadlineNanos) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long number = submitted.incrementAndGet();
        waiting.put(number, result);
        result.whenComplete((value, failure) -> waiting.remove(number));
        context.thread().execute(() -> {
            // After a slow command there may be many reads past their deadline, with heartbeats queued behind.
            if (clock.nowNanos() > deadlineNanos) {
                result.completeExceptionally(new LeaseUnavailableException(
                        "namespace '" + context.namespace()
                                + "': a read was not begun in time: the database did not answer what was ahead of it",
                        null));
            } else {
                attempt(read, deadlineNanos, 1, result);
            }
        });
        if (closed) {
            result.completeExceptionally(context.closed());
        }
        return result;
    }

    private <T> void attempt(Supplier<T> read, long deadlineNanos, int attempt, CompletableFuture<T> result) {
        if (context.runtime().hasFailed()) {
            result.completeExceptionally(context.closed());
            return;
        }
        try {
            result.complete(read.get());
        } catch (LeaseUnavailableException e) {
            long leftNanos = deadlineNanos - clock.nowNanos();
            if (leftNanos < 0) {
                result.completeExceptionally(e);
                return;
            }
            LOG.debug("{}: attempt {} of a read has not succeeded: {}", registration, attempt, e.getMessage());
            // A pause after an overload may be longer than all that is left.
            long pauseNanos = Math.min(leftNanos + 1, context.runtime().randomNanos(RetryWindow.nanos(attempt, e)));
            context.thread().executeAfter(pauseNanos, () -> attempt(read, deadlineNanos, attempt + 1, result));
        } catch (LeaseException e) {
            result.completeExceptionally(e);
        } catch (RuntimeException e) {
            result.completeExceptionally(new LeaseStoreException("a read failed unexpectedly", e));
        }
    }

    // ---- on the engine thread ----

    public void read(Set<String> names) {
        long beganNanos = clock.nowNanos();
        Snapshot snapshot = context.store().read(names, registration.writer());
        observe(cache::observe, snapshot, beganNanos, endedNanos(beganNanos));
    }

    private Polled pollNow(Set<String> names) {
        long sentNanos = clock.nowNanos();
        read(names);
        long nowNanos = clock.nowNanos();
        List<LeaseState> states = names.stream()
                .map(name -> Objects.requireNonNull(cache.get(name)).stateAt(nowNanos))
                .toList();
        Map<String, QueueView> queues = new HashMap<>();
        for (String name : names) {
            queues.put(name, cache.viewOf(name, sentNanos));
        }
        return new Polled(states, cache.nextReadNanos(names, nowNanos), queues);
    }

    private Page pageNow(@Nullable String belowId) {
        long beganNanos = clock.nowNanos();
        LeaseStore.Page page = context.store().page(belowId, PAGE_SIZE, registration.writer());
        long endedNanos = endedNanos(beganNanos);
        List<ObservedLease> leases = observe(cache::observeListed, page.snapshot(), beganNanos, endedNanos);
        return new Page(leases, endedNanos, page.lastId());
    }

    private List<WriterEntry.Sound> silentWritersNow() {
        long beganNanos = clock.nowNanos();
        ClockSurvey survey = context.store().survey();
        long endedNanos = endedNanos(beganNanos);
        registration.examine(survey.clock());
        Collection<WriterEntry> entries = survey.writers();
        cache.sights().sawAll(WriterSights.stampsNanos(entries), registration.writer(), endedNanos);
        return cache.sights().stale(entries, registration.writer(), endedNanos, drift);
    }

    /**
     * Reads the newest stamps of all writers, which bound the expiries of leases that were never read, and this engine's own
     * entry.
     *
     * @return how many writers there are
     */
    public int lookAtWriters() {
        long beganNanos = clock.nowNanos();
        ClockStamps read = context.store().stamps(registration.writer());
        long endedNanos = endedNanos(beganNanos);
        registration.examine(read.clock());
        cache.sights().sawAll(read.stampsNanos(), registration.writer(), endedNanos);
        return read.stampsNanos().size();
    }

    /** The same by a read of the whole clock document, whose size is measured. */
    public int surveyWriters() {
        long beganNanos = clock.nowNanos();
        ClockSurvey survey = context.store().survey();
        long endedNanos = endedNanos(beganNanos);
        metrics.record(new ClockSurveyed(
                new WritersRead(context.namespace(), registration.writer(), survey.writers(), endedNanos),
                survey.sizeBytes()));
        registration.examine(survey.clock());
        cache.sights().sawAll(WriterSights.stampsNanos(survey.writers()), registration.writer(), endedNanos);
        return survey.writers().size();
    }

    private interface Observe {
        List<ObservedLease> in(Snapshot snapshot, String writer, long beganNanos, long endedNanos);
    }

    private List<ObservedLease> observe(Observe observe, Snapshot snapshot, long beganNanos, long endedNanos) {
        metrics.record(new LeasesRead(endedNanos - beganNanos));
        Collection<WriterEntry> entries = snapshot.clock().writers().values();
        metrics.record(new WritersRead(context.namespace(), registration.writer(), entries, endedNanos));
        registration.examine(snapshot.clock());
        // A lease with waiters is read again and again, and warned of once.
        Set<String> known = snapshot.leases().stream()
                .map(StoredLease::name)
                .filter(cache::isUnusable)
                .collect(Collectors.toSet());
        List<ObservedLease> observed = observe.in(snapshot, registration.writer(), beganNanos, endedNanos);
        for (ObservedLease lease : observed) {
            if (lease instanceof ObservedLease.Unusable && !known.contains(lease.name())) {
                LogContext subject = LogContext.ofLease(context.namespace(), lease.name());
                LOG.warn("{}: unusable: {}", subject, lease.stateAt(endedNanos).describe());
            }
        }
        snapshot.queues().values().forEach(this::warnIfCorrupt);
        reportShown(observed);
        return observed;
    }

    private void reportShown(List<ObservedLease> observed) {
        for (ObservedLease each : observed) {
            if (each instanceof ObservedLease.Lease lease) {
                // The outcome may be found to be an extension of a tenure that is over by now.
                if (!outcomeUnknown.getAsBoolean()) {
                    context.validities().shown(lease.document());
                }
                if (lease.own() && lease.document().isSessionLease() && mayJudge(each.name())) {
                    context.validities().seenKept(lease.document());
                }
            }
        }
    }

    /** While an outcome is unknown, a lease may be written whose tenure is not granted yet: then it is read again afterwards. */
    private boolean mayJudge(String name) {
        boolean known = !outcomeUnknown.getAsBoolean();
        if (!known) {
            unjudged.add(name);
        }
        return known;
    }

    /** A corrupt queue is as good as a full one. Warned of once. */
    private void warnIfCorrupt(StoredQueue queue) {
        if (queue.corrupt() != null && corruptQueues.size() < PAGE_SIZE && corruptQueues.add(queue.name())) {
            LOG.warn(
                    "{}: its queue is not used, its waiters compete when it is vacant: {}",
                    LogContext.ofLease(context.namespace(), queue.name()),
                    queue.corrupt());
        }
    }

    /**
     * A change has shown a lease that the session of this engine keeps. This thread knows the answers of its own writes, so it can tell whether
     * the lease is held here.
     */
    public void judge(LeaseDocument shown) {
        if (shown.isSessionLease()
                && shown.writer().equals(registration.writer())
                && cache.mayShow(shown)
                && mayJudge(shown.name())) {
            cache.shown(shown, true);
            context.validities().seenKept(shown);
        }
    }

    /** Reads what could not be judged, once no outcome is unknown. Engine thread only. */
    void readUnjudged() {
        readUnjudged(1);
    }

    private void readUnjudged(int attempt) {
        if (unjudged.isEmpty()
                || outcomeUnknown.getAsBoolean()
                || closed
                || context.runtime().hasFailed()) {
            return;
        }
        Set<String> names = Set.copyOf(unjudged);
        unjudged.clear();
        try {
            parts(names).forEach(this::read);
        } catch (LeaseException e) {
            unjudged.addAll(names);
            LOG.debug("{}: attempt {} to read what the session keeps has failed", registration, attempt, e);
            long pauseNanos = context.runtime().randomNanos(Backoff.longWindowNanos(attempt));
            context.thread().executeAfter(pauseNanos, () -> readUnjudged(attempt + 1));
        }
    }

    private long endedNanos(long beganNanos) {
        long endedNanos = clock.nowNanos();
        try {
            Observation.requireInOrder(beganNanos, endedNanos);
            return endedNanos;
        } catch (ClockWentBackException e) {
            throw new ClockAnomalyException("nothing was concluded from a read: " + e.getMessage(), e);
        }
    }
}
