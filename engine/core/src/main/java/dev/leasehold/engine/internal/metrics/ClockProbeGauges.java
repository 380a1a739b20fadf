package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * What the latest surveys of the clock documents found. Each partition is surveyed by a thread of its own.
 *
 * <p>What is said of one clock document is that of the partition where it is the most, since too much in one is too much. A writer
 * is in one partition alone, so those of all are shown side by side. No tag tells the partitions apart; docs/decisions says why.
 */
final class ClockProbeGauges {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, ClockSkewGauges> skews = new ConcurrentHashMap<>();
    private final Map<String, Found> found = new HashMap<>();
    private final ProbedGauge liveWriters;
    private final ProbedGauge clockSize;

    /** What the latest survey of one partition found. */
    private record Found(long liveWriters, long sizeBytes) {}

    ClockProbeGauges(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        liveWriters = new ProbedGauge(
                registry, tags, "leasehold.live.writers", "Engines in the clock document that were not closed", null);
        clockSize = new ProbedGauge(registry, tags, "leasehold.clock.size", "Size of the clock document", "bytes");
    }

    void seen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {
        skewsIn(partition).seen(own, entries, readEndedNanos);
    }

    void surveyed(String partition, ClockSurvey survey) {
        skewsIn(partition).surveyed(survey);
        showMost(partition, new Found(liveWriters(survey), survey.sizeBytes()));
    }

    private ClockSkewGauges skewsIn(String partition) {
        return skews.computeIfAbsent(partition, first -> new ClockSkewGauges(registry, tags));
    }

    private static long liveWriters(ClockSurvey survey) {
        return survey.writers().stream()
                .filter(entry -> entry instanceof WriterEntry.Sound sound && sound.driverSession() != null)
                .count();
    }

    /** One at a time, or the one that saw less could be the last to show it. */
    private synchronized void showMost(String partition, Found latest) {
        found.put(partition, latest);
        liveWriters.show(most(Found::liveWriters));
        clockSize.show(most(Found::sizeBytes));
    }

    private List<Row<Number>> most(ToLongFunction<Found> number) {
        return List.of(Row.of(
                Tags.empty(), found.values().stream().mapToLong(number).max().orElseThrow()));
    }

    void close() {
        skews.values().forEach(ClockSkewGauges::close);
        liveWriters.close();
        clockSize.close();
    }
}
