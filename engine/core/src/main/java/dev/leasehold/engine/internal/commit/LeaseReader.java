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

/** Reads, between two looks at the clock, and feeds the view. Used by the engine's own thread alone. */
public final class LeaseReader {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseReader.class);

    /** How many leases one read takes at the most, so that other work of the engine goes on between. */
    public static final int PAGE_SIZE = 1_000;

    private final String namespace;
    private final LeaseStore store;
    private final StampClock clock;
    private final LeaseCache cache;
    private final WriterRegistration registration;
    private final StaleWriters silent;
    private final EngineMetrics metrics;

    LeaseReader(
            PartitionContext context,
            LeaseCache cache,
            WriterRegistration registration,
            StaleWriters silent,
            EngineMetrics metrics) {
        this.namespace = context.namespace();
        this.store = context.store();
        this.clock = context.clock();
        this.cache = cache;
        this.registration = registration;
        this.silent = silent;
        this.metrics = metrics;
    }

    /** The names in as many parts as reads are needed for them, in their order. */
    public static List<Set<String>> parts(Collection<String> names) {
        List<String> all = List.copyOf(names);
        List<Set<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += PAGE_SIZE) {
            parts.add(new LinkedHashSet<>(all.subList(from, Math.min(all.size(), from + PAGE_SIZE))));
        }
        return parts;
    }

    /** On whose behalf it reads at present. */
    String writer() {
        return registration.writer();
    }

    /** Reads some leases into the view. */
    void read(Set<String> names) {
        long beganNanos = clock.nowNanos();
        Snapshot snapshot = store.read(names, registration.writer());
        observe(cache::observe, snapshot, beganNanos, endedNanos(beganNanos));
    }

    /** Reads some leases into the view, and says how they stand, and when to look again. */
    PollResult poll(Set<String> names) {
        read(names);
        long nowNanos = clock.nowNanos();
        List<LeaseState> states = new ArrayList<>(names.size());
        for (String name : names) {
            states.add(LeaseStates.of(Objects.requireNonNull(cache.get(name)), nowNanos));
        }
        return new PollResult(Collections.unmodifiableList(states), cache.nextLookNanos(names, nowNanos));
    }

    /** Reads the next part of all leases into the view, from the highest id down. */
    Listed page(@Nullable String belowId) {
        long beganNanos = clock.nowNanos();
        LeaseStore.Page page = store.page(belowId, PAGE_SIZE, registration.writer());
        long endedNanos = endedNanos(beganNanos);
        List<ObservedLease> sightings = observe(cache::observeListed, page.snapshot(), beganNanos, endedNanos);
        return new Listed(sightings, endedNanos, page.lastId());
    }

    /** Reads the entries of all writers, and says how to remove those that have been silent for too long. */
    List<ClockWrite> silentWriters() {
        long beganNanos = clock.nowNanos();
        Collection<WriterEntry> entries = store.writers();
        return silent.among(entries, registration.writer(), endedNanos(beganNanos));
    }

    /** One of the ways in which the view takes in what was read. */
    private interface Observe {
        List<ObservedLease> in(Snapshot snapshot, String writer, long beganNanos, long endedNanos);
    }

    private List<ObservedLease> observe(Observe observe, Snapshot snapshot, long beganNanos, long endedNanos) {
        metrics.record(new LeasesRead(endedNanos - beganNanos));
        metrics.record(new WritersRead(
                namespace, registration.writer(), snapshot.clock().writers().values(), endedNanos));
        registration.examine(snapshot.clock());
        Set<String> known = knownAsUnusable(snapshot);
        List<ObservedLease> sightings = observe.in(snapshot, registration.writer(), beganNanos, endedNanos);
        for (ObservedLease observed : sightings) {
            if (observed instanceof ObservedLease.Unusable && !known.contains(observed.name())) {
                warn(observed);
            }
        }
        return sightings;
    }

    /** Those were logged before: a lease that somebody waits for is read again and again. */
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
     * A part of all leases.
     *
     * @param sightings what was seen
     * @param nowNanos when the read ended
     * @param lastId where to go on; null at the end
     */
    public record Listed(
            List<ObservedLease> sightings,
            long nowNanos,
            @Nullable String lastId) {}
}
