package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of what the latest survey of each partition's clock document found.
 *
 * <p>Size and number of live writers are those of the partition that has most, since too much in one is too much. A writer is in one
 * partition alone, so the skews to the writers of all partitions are shown side by side. No tag tells the partitions apart;
 * docs/decisions says why.
 *
 * <p>Events of one partition come from one thread at a time, those of several partitions at once.
 */
final class ClockProbeGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, Skews> skews = new ConcurrentHashMap<>();
    private final Map<String, Counts> counts = new HashMap<>();
    private final MultiGauge liveWriters;
    private final MultiGauge clockSize;

    /** What the latest survey of one partition found. */
    private record Counts(long liveWriters, long sizeBytes) {}

    ClockProbeGauges(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        liveWriters = gauge("leasehold.live.writers", "Engines in the clock document that were not closed", null);
        clockSize = gauge("leasehold.clock.size", "Size of the clock document", "bytes");
    }

    private MultiGauge gauge(String name, String description, @Nullable String unit) {
        return MultiGauge.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    void onWritersRead(WritersRead read) {
        skewsIn(read.partition()).tighten(read);
    }

    void onSurveyed(ClockSurveyed surveyed) {
        ClockSurvey survey = surveyed.survey();
        skewsIn(surveyed.partition()).show(survey);
        showMost(surveyed.partition(), new Counts(liveWriters(survey), survey.sizeBytes()));
    }

    private Skews skewsIn(String partition) {
        return skews.computeIfAbsent(partition, first -> new Skews());
    }

    private static long liveWriters(ClockSurvey survey) {
        return survey.writers().stream()
                .filter(entry -> entry instanceof WriterEntry.Sound sound && sound.driverSession() != null)
                .count();
    }

    /** One thread at a time, or an older maximum could replace a newer one. */
    private synchronized void showMost(String partition, Counts latest) {
        counts.put(partition, latest);
        show(liveWriters, most(Counts::liveWriters));
        show(clockSize, most(Counts::sizeBytes));
    }

    private List<Row<Number>> most(ToLongFunction<Counts> number) {
        return List.of(Row.of(
                Tags.empty(), counts.values().stream().mapToLong(number).max().orElseThrow()));
    }

    /**
     * Replaces the rows that are shown, also those of another engine of the same namespace and registry. Rows of another engine are
     * only replaced by a gauge that has registered them itself: hence twice.
     */
    private static void show(MultiGauge gauge, List<Row<Number>> rows) {
        gauge.register(rows, true);
        gauge.register(rows, true);
    }

    /** If another engine shows the same gauges, its rows are back with its next survey. */
    void close() {
        skews.values().forEach(skew -> hide(skew.gauge));
        hide(liveWriters);
        hide(clockSize);
    }

    private static void hide(MultiGauge gauge) {
        gauge.register(List.of(), true);
    }

    /**
     * By how much this engine's clock is ahead of the clock of each other writer of one partition, at the most.
     *
     * <p>When a read has ended, a writer's clock shows its newest stamp or more. So the difference is an upper bound, and tighter the
     * fresher the stamp was. The least of all bounds is kept.
     */
    private final class Skews {

        private final Map<String, Long> boundsNanos = new HashMap<>();
        private final MultiGauge gauge =
                gauge("leasehold.skew", "How far this engine's clock is at most ahead of that writer's", "seconds");

        /** A difference overflows only for clocks that are too far apart to be compared. */
        void tighten(WritersRead read) {
            for (WriterEntry entry : read.entries()) {
                if (entry instanceof WriterEntry.Sound sound && !sound.writer().equals(read.ownWriter())) {
                    boundsNanos.merge(sound.writer(), read.readEndedNanos() - sound.timeNanos(), Math::min);
                }
            }
        }

        void show(ClockSurvey survey) {
            boundsNanos
                    .keySet()
                    .retainAll(
                            survey.writers().stream().map(WriterEntry::writer).collect(Collectors.toSet()));
            ClockProbeGauges.show(
                    gauge,
                    boundsNanos.entrySet().stream()
                            .map(bound ->
                                    Row.of(Tags.of("writer", bound.getKey()), bound.getValue() / NANOS_PER_SECOND))
                            .toList());
        }
    }
}
