package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesRead;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.LeaseStates;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.StaleWriters;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.ClockWentBackException;
import dev.leasehold.engine.internal.time.Observation;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads leases and updates the cache, taking the clock before and after each read. Engine thread only. */
public final class LeaseReader {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseReader.class);

    /** The largest number of leases in one read, so that other work of the engine can run in between. */
    public static final int PAGE_SIZE = 1_000;

    private final String namespace;
    private final LeaseStore store;
    private final StampClock clock;
    private final LeaseCache cache;
    private final WriterRegistration registration;
    private final StaleWriters staleWriters;
    private final EngineMetrics metrics;

    LeaseReader(
            PartitionContext context,
            LeaseCache cache,
            WriterRegistration registration,
            StaleWriters staleWriters,
            EngineMetrics metrics) {
        this.namespace = context.namespace();
        this.store = context.store();
        this.clock = context.clock();
        this.cache = cache;
        this.registration = registration;
        this.staleWriters = staleWriters;
        this.metrics = metrics;
    }

    /** Splits the names into one part per read, in their order. */
    public static List<Set<String>> parts(Collection<String> names) {
        List<String> all = List.copyOf(names);
        List<Set<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += PAGE_SIZE) {
            parts.add(new LinkedHashSet<>(all.subList(from, Math.min(all.size(), from + PAGE_SIZE))));
        }
        return parts;
    }

    /** The present writer of the engine. */
    String writer() {
        return registration.writer();
    }

    /** Reads leases into the cache. */
    void read(Set<String> names) {
        long beganNanos = clock.nowNanos();
        Snapshot snapshot = store.read(names, registration.writer());
        observe(cache::observe, snapshot, beganNanos, endedNanos(beganNanos));
    }

    /** Reads leases into the cache, and returns their states and the time of the next poll. */
    PollResult poll(Set<String> names) {
        read(names);
        long nowNanos = clock.nowNanos();
        List<LeaseState> states = new ArrayList<>(names.size());
        for (String name : names) {
            states.add(LeaseStates.of(Objects.requireNonNull(cache.get(name)), nowNanos));
        }
        return new PollResult(Collections.unmodifiableList(states), cache.nextLookNanos(names, nowNanos));
    }

    /** Reads the next page of all leases into the cache, from the highest id down. */
    Listed page(@Nullable String belowId) {
        long beganNanos = clock.nowNanos();
        LeaseStore.Page page = store.page(belowId, PAGE_SIZE, registration.writer());
        long endedNanos = endedNanos(beganNanos);
        List<ObservedLease> observed = observe(cache::observeListed, page.snapshot(), beganNanos, endedNanos);
        return new Listed(observed, endedNanos, page.lastId());
    }

    /** Reads the entries of all writers, and returns the writes that remove the stale ones. */
    List<ClockWrite> silentWriters() {
        long beganNanos = clock.nowNanos();
        Collection<WriterEntry> entries = store.writers();
        return staleWriters.among(entries, registration.writer(), endedNanos(beganNanos));
    }

    /** One of the cache's methods that take a snapshot. */
    private interface Observe {
        List<ObservedLease> in(Snapshot snapshot, String writer, long beganNanos, long endedNanos);
    }

    private List<ObservedLease> observe(Observe observe, Snapshot snapshot, long beganNanos, long endedNanos) {
        metrics.record(new LeasesRead(endedNanos - beganNanos));
        metrics.record(new WritersRead(
                namespace, registration.writer(), snapshot.clock().writers().values(), endedNanos));
        registration.examine(snapshot.clock());
        Set<String> known = knownAsUnusable(snapshot);
        List<ObservedLease> observed = observe.in(snapshot, registration.writer(), beganNanos, endedNanos);
        for (ObservedLease lease : observed) {
            if (lease instanceof ObservedLease.Unusable && !known.contains(lease.name())) {
                warn(lease);
            }
        }
        return observed;
    }

    /** Names of leases whose warning was logged before: a lease with waiters is read again and again. */
    private Set<String> knownAsUnusable(Snapshot snapshot) {
        Set<String> known = new HashSet<>();
        for (StoredLease lease : snapshot.leases()) {
            if (cache.isUnusable(lease.name())) {
                known.add(lease.name());
            }
        }
        return known;
    }

    private void warn(ObservedLease unusable) {
        LOG.warn(
                "{}: unusable: {}",
                LogContext.ofLease(namespace, unusable.name()),
                LeaseStates.of(unusable, clock.nowNanos()).describe());
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

    /**
     * A page of the listing of all leases.
     *
     * @param sightings the observed leases
     * @param nowNanos when the read ended
     * @param lastId where the next page begins; null at the end
     */
    public record Listed(
            List<ObservedLease> sightings,
            long nowNanos,
            @Nullable String lastId) {}
}
