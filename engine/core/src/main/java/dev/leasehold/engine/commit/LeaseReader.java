package dev.leasehold.engine.commit;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.SilentWriters;
import dev.leasehold.engine.protocol.Standing;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.ClockWentBackException;
import dev.leasehold.engine.time.Observation;
import dev.leasehold.engine.time.StampClock;
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
    private final LeaseView view;
    private final Registration registration;
    private final SilentWriters silent;
    private final EngineMeters meters;

    LeaseReader(
            Environment environment,
            LeaseView view,
            Registration registration,
            SilentWriters silent,
            EngineMeters meters) {
        this.namespace = environment.namespace();
        this.store = environment.store();
        this.clock = environment.clock();
        this.view = view;
        this.registration = registration;
        this.silent = silent;
        this.meters = meters;
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
        observe(view::observe, snapshot, beganNanos, endedNanos(beganNanos));
    }

    /** Reads some leases into the view, and says how they stand, and when to look again. */
    Look look(Set<String> names) {
        read(names);
        long nowNanos = clock.nowNanos();
        List<LeaseState> states = new ArrayList<>(names.size());
        for (String name : names) {
            states.add(Standing.of(Objects.requireNonNull(view.get(name)), nowNanos));
        }
        return new Look(Collections.unmodifiableList(states), view.nextLookNanos(names, nowNanos));
    }

    /** Reads the next part of all leases into the view, from the highest id down. */
    Listed page(@Nullable String belowId) {
        long beganNanos = clock.nowNanos();
        LeaseStore.Page page = store.page(belowId, PAGE_SIZE, registration.writer());
        long endedNanos = endedNanos(beganNanos);
        List<Sighting> sightings = observe(view::observeListed, page.snapshot(), beganNanos, endedNanos);
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
        List<Sighting> in(Snapshot snapshot, String writer, long beganNanos, long endedNanos);
    }

    private List<Sighting> observe(Observe observe, Snapshot snapshot, long beganNanos, long endedNanos) {
        meters.viewRead(endedNanos - beganNanos);
        meters.writersSeen(
                namespace, registration.writer(), snapshot.clock().writers().values(), endedNanos);
        registration.examine(snapshot.clock());
        Set<String> known = knownAsUnusable(snapshot);
        List<Sighting> sightings = observe.in(snapshot, registration.writer(), beganNanos, endedNanos);
        for (Sighting sighting : sightings) {
            if (sighting instanceof Sighting.Unusable && !known.contains(sighting.name())) {
                warn(sighting);
            }
        }
        return sightings;
    }

    /** Those were logged before: a lease that somebody waits for is read again and again. */
    private Set<String> knownAsUnusable(Snapshot snapshot) {
        Set<String> known = new HashSet<>();
        for (StoredLease lease : snapshot.leases()) {
            if (view.isUnusable(lease.name())) {
                known.add(lease.name());
            }
        }
        return known;
    }

    private void warn(Sighting unusable) {
        LOG.warn(
                "{}: unusable: {}",
                Subject.ofLease(namespace, unusable.name()),
                Standing.of(unusable, clock.nowNanos()).describe());
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
            List<Sighting> sightings,
            long nowNanos,
            @Nullable String lastId) {}
}
