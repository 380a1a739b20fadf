package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.ClockState;
import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.engine.WriterState;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.ObservedWriter;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.internal.time.StampClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads on the caller's thread. Unlike an engine it needs no thread of its own, since it does nothing between calls. */
public final class Inspector implements LeaseInspector {

    private final String namespace;
    private final Partition first;
    private final List<View> partitions = new ArrayList<>();
    private final Function<Partition, LeaseEvents> events;
    /** Every read changes the observations, and a store is used by one thread at a time. */
    private final Lock lock = new ReentrantLock();

    private volatile boolean closed;

    /**
     * Nothing is sent yet.
     *
     * @param stores makes the store of a partition, which is never opened
     * @param events opens the events of all partitions, by the first one
     */
    public Inspector(
            EngineSettings settings,
            EngineRuntime runtime,
            int partitions,
            Function<Partition, LeaseStore> stores,
            Function<Partition, LeaseEvents> events) {
        this.namespace = settings.namespace();
        this.events = events;
        StampClock clock = new StampClock(runtime.clock());
        List<Partition> all = Partition.all(namespace, partitions);
        this.first = all.get(0);
        all.forEach(
                partition -> this.partitions.add(new View(partition.id(), settings, stores.apply(partition), clock)));
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public int partitions() {
        return partitions.size();
    }

    @Override
    public List<LeaseDetails> leases() {
        return locked(() -> partitions.stream()
                .flatMap(partition -> partition.leases().stream())
                .sorted(Comparator.comparing(LeaseDetails::name, LeaseListing.AS_STORED))
                .toList());
    }

    @Override
    public LeaseDetails inspect(String name) {
        LeaseNames.checkName(name);
        return locked(
                () -> partitions.get(Partition.indexOf(name, partitions.size())).lease(name));
    }

    @Override
    public List<OccurrenceRecord> occurrences(String name, int limit) {
        LeaseNames.checkName(name);
        Occurrences.checkLimit(limit);
        return locked(
                () -> partitions.get(Partition.indexOf(name, partitions.size())).occurrences(name, limit));
    }

    @Override
    public List<WriterState> writers() {
        return locked(() -> partitions.stream()
                .flatMap(partition -> partition.writers().stream().sorted(Comparator.comparing(WriterState::writer)))
                .toList());
    }

    @Override
    public List<ClockState> clocks() {
        return locked(() -> partitions.stream().map(View::clockState).toList());
    }

    @Override
    public LeaseEvents events() {
        return locked(() -> events.apply(first));
    }

    private <T> T locked(Supplier<T> reading) {
        lock.lock();
        try {
            if (closed) {
                throw new LeaseEngineClosedException("the inspector of namespace '" + namespace + "' is closed", null);
            }
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                partitions.forEach(View::close);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A read-only view of one partition. Used by one thread at a time. */
    private static final class View {

        /** Not a valid writer of an engine, since those have a suffix after a hash sign. So no document looks like its own. */
        private static final String NO_WRITER = "inspector";

        private static final int VIEW_LIMIT = 10_000;

        private final String id;
        private final LeaseStore store;
        private final StampClock clock;
        private final LeaseCache cache;
        private final Drift drift;
        private Map<String, ObservedWriter> writers = Map.of();

        View(String id, EngineSettings settings, LeaseStore store, StampClock clock) {
            this.id = id;
            this.store = store;
            this.clock = clock;
            this.cache = new LeaseCache(id, settings.drift(), settings.retentionNanos(), VIEW_LIMIT);
            this.drift = settings.drift();
        }

        LeaseDetails lease(String name) {
            long beganNanos = clock.nowNanos();
            Snapshot read = store.read(Set.of(name), NO_WRITER);
            List<ObservedLease> seen = cache.observe(read, NO_WRITER, beganNanos, clock.nowNanos());
            StoredQueue queue = Objects.requireNonNull(read.queues().get(name));
            Seen lease = new Seen(seen.get(0), clock.nowNanos());
            return details(lease, LeaseListing.waiters(queue, entriesFor(List.of(queue))));
        }

        /** A lease as it was observed, and when. */
        private record Seen(ObservedLease lease, long atNanos) {}

        /** The entries of all waiters, of which a read of the lease has the first ones only. */
        private Map<String, WriterEntry> entriesFor(Collection<StoredQueue> queues) {
            return queues.stream().allMatch(queue -> queue.waiters().isEmpty())
                    ? Map.of()
                    : store.survey().clock().writers();
        }

        List<OccurrenceRecord> occurrences(String name, int limit) {
            return store.occurrences(name, limit);
        }

        /** All leases, in descending order of ids. */
        List<LeaseDetails> leases() {
            List<Seen> leases = new ArrayList<>();
            String belowId = null;
            do {
                long beganNanos = clock.nowNanos();
                LeaseStore.Page page = store.page(belowId, LeaseReader.PAGE_SIZE, NO_WRITER);
                long endedNanos = clock.nowNanos();
                cache.observeListed(page.snapshot(), NO_WRITER, beganNanos, endedNanos)
                        .forEach(observed -> leases.add(new Seen(observed, endedNanos)));
                belowId = page.lastId();
            } while (belowId != null);
            Map<String, StoredQueue> queues = queues();
            Map<String, WriterEntry> entries = entriesFor(queues.values());
            return leases.stream()
                    .map(seen -> {
                        String name = seen.lease().name();
                        StoredQueue queue = queues.getOrDefault(name, StoredQueue.empty(name));
                        return details(seen, LeaseListing.waiters(queue, entries));
                    })
                    .toList();
        }

        private Map<String, StoredQueue> queues() {
            Map<String, StoredQueue> queues = new HashMap<>();
            String belowId = null;
            do {
                LeaseStore.QueuePage page = store.queues(belowId, LeaseReader.PAGE_SIZE);
                page.queues().forEach(queue -> queues.put(queue.name(), queue));
                belowId = page.lastId();
            } while (belowId != null);
            return queues;
        }

        private LeaseDetails details(Seen seen, List<WaiterDetails> waiters) {
            LeaseState state = seen.lease().stateAt(seen.atNanos());
            if (!(seen.lease() instanceof ObservedLease.Lease lease)) {
                return new LeaseDetails(state, id, null, null, 0, 0, waiters);
            }
            LeaseDocument stored = lease.document();
            return new LeaseDetails(
                    state, id, stored.writer(), stored.since(), stored.gates(), stored.stripes(), waiters);
        }

        List<WriterState> writers() {
            ClockSurvey survey = store.survey();
            writers = ObservedWriter.after(writers, survey.writers(), clock.nowNanos());
            return survey.writers().stream()
                    .map(entry -> state(entry, survey.driftsPpm().get(entry.writer())))
                    .toList();
        }

        private WriterState state(WriterEntry entry, @Nullable Long driftPpm) {
            if (entry instanceof WriterEntry.Corrupt corrupt) {
                return new WriterState.Corrupt(corrupt.writer(), id, corrupt.field(), corrupt.found());
            }
            return known(Objects.requireNonNull(writers.get(entry.writer())), driftPpm);
        }

        private WriterState known(ObservedWriter observed, @Nullable Long driftPpm) {
            WriterEntry.Sound entry = observed.entry();
            return new WriterState.Known(
                    entry.writer(),
                    id,
                    entry.timeNanos(),
                    duration(entry.sessionNanos()),
                    entry.driverSession(),
                    LocalInstant.of(observed.firstSeenNanos()),
                    observed.seenMoving(),
                    latestEnd(observed.safeAfterNanos(drift)),
                    Duration.ofNanos(observed.behindNanosMax()),
                    driftPpm);
        }

        private static @Nullable Duration duration(@Nullable Long nanos) {
            return nanos == null ? null : Duration.ofNanos(nanos);
        }

        private static @Nullable Instant latestEnd(long safeAfterNanos) {
            return safeAfterNanos == ExpiryBound.NEVER ? null : LocalInstant.of(safeAfterNanos);
        }

        ClockState clockState() {
            ClockSurvey survey = store.survey();
            ClockDocument clock = survey.clock();
            int writers = survey.writers().size();
            return new ClockState(id, clock.ticks(), clock.tokenFloor(), survey.sizeBytes(), writers);
        }

        void close() {
            store.close();
        }
    }
}
