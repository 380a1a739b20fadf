package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.ClockState;
import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.WriterState;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.LeaseStates;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.WriterObservations;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.internal.time.StampClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only view of one partition. Used by one thread at a time. */
final class InspectedPartition {

    /** Not a valid writer of an engine, since those have a suffix after a hash sign. So no document looks like its own. */
    private static final String NO_WRITER = "inspector";

    private static final int VIEW_LIMIT = 10_000;

    private final String id;
    private final LeaseStore store;
    private final StampClock clock;
    private final LeaseCache cache;
    private final WriterObservations writers;

    /**
     * No observations yet.
     *
     * @param settings of the partition
     * @param store never opened
     */
    InspectedPartition(EngineSettings settings, LeaseStore store, StampClock clock) {
        this.id = settings.namespace();
        this.store = store;
        this.clock = clock;
        this.cache = new LeaseCache(id, settings.drift(), settings.retentionNanos(), VIEW_LIMIT);
        this.writers = new WriterObservations(settings.drift());
    }

    LeaseDetails lease(String name) {
        long beganNanos = clock.nowNanos();
        List<ObservedLease> seen =
                cache.observe(store.read(Set.of(name), NO_WRITER), NO_WRITER, beganNanos, clock.nowNanos());
        return details(seen.get(0), clock.nowNanos());
    }

    /** All leases, in descending order of ids. */
    List<LeaseDetails> leases() {
        List<LeaseDetails> leases = new ArrayList<>();
        String belowId = null;
        do {
            long beganNanos = clock.nowNanos();
            LeaseStore.Page page = store.page(belowId, LeaseReader.PAGE_SIZE, NO_WRITER);
            long endedNanos = clock.nowNanos();
            cache.observeListed(page.snapshot(), NO_WRITER, beganNanos, endedNanos)
                    .forEach(observed -> leases.add(details(observed, endedNanos)));
            belowId = page.lastId();
        } while (belowId != null);
        return leases;
    }

    private LeaseDetails details(ObservedLease observed, long nowNanos) {
        LeaseDocument document = observed instanceof ObservedLease.Lease lease ? lease.document() : null;
        return document == null
                ? new LeaseDetails(LeaseStates.of(observed, nowNanos), id, null, null, 0, 0)
                : new LeaseDetails(
                        LeaseStates.of(observed, nowNanos),
                        id,
                        document.writer(),
                        document.since(),
                        document.gates(),
                        document.stripes());
    }

    List<WriterState> writers() {
        ClockSurvey survey = store.survey();
        writers.observe(survey.writers(), clock.nowNanos());
        return survey.writers().stream()
                .map(entry -> state(entry, survey.driftsPpm().get(entry.writer())))
                .toList();
    }

    private WriterState state(WriterEntry entry, @Nullable Long driftPpm) {
        if (entry instanceof WriterEntry.Corrupt corrupt) {
            return new WriterState.Corrupt(corrupt.writer(), id, corrupt.field(), corrupt.found());
        }
        return known(Objects.requireNonNull(writers.of(entry.writer())), driftPpm);
    }

    private WriterState known(WriterObservations.ObservedWriter sight, @Nullable Long driftPpm) {
        WriterEntry.Sound entry = sight.entry();
        return new WriterState.Known(
                entry.writer(),
                id,
                entry.timeNanos(),
                duration(entry.sessionNanos()),
                entry.driverSession(),
                LocalInstant.of(sight.firstSeenNanos()),
                sight.seenMoving(),
                latestEnd(writers.safeAfterNanos(sight)),
                Duration.ofNanos(sight.behindNanosMax()),
                driftPpm);
    }

    private static @Nullable Duration duration(@Nullable Long nanos) {
        return nanos == null ? null : Duration.ofNanos(nanos);
    }

    private static @Nullable Instant latestEnd(long safeAfterNanos) {
        return safeAfterNanos == ExpiryBound.NEVER ? null : LocalInstant.of(safeAfterNanos);
    }

    ClockState clockState() {
        ClockDocument document = store.read(Set.of(), NO_WRITER).clock();
        ClockSurvey survey = store.survey();
        return new ClockState(
                id,
                document.ticks(),
                document.tokenFloor(),
                survey.sizeBytes(),
                survey.writers().size());
    }

    void close() {
        store.close();
    }
}
