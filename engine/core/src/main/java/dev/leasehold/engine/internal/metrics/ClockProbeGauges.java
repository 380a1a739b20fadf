package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of what the latest survey of each partition's clock document found.
 *
 * <p>Size and number of live writers are those of the partition that has most, since too much in one is too much. A
 * writer is in one partition alone, so the skews to the writers of all partitions are shown side by side. No tag tells
 * the partitions apart; docs/decisions/quiet.md#44 says why. Partitions report at once, each from one thread.
 */
final class ClockProbeGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, Surveyed> partitions = new HashMap<>();
    private final MultiGauge skew;
    private final MultiGauge liveWriters;
    private final MultiGauge clockSize;

    /** What was found in one partition. */
    private static final class Surveyed {

        /**
         * By how much this engine's clock is ahead of each other writer's, at the most. When a read has ended, a writer's
         * clock shows its newest stamp or more. So the difference is an upper bound, and the least of all is kept.
         */
        private final Map<String, Long> skewBoundsNanos = new HashMap<>();

        private long liveWriters;
        private long sizeBytes;
    }

    ClockProbeGauges(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        skew = gauge("leasehold.skew", "How far this engine's clock is at most ahead of that writer's", "seconds");
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

    private Surveyed in(String partition) {
        return partitions.computeIfAbsent(partition, first -> new Surveyed());
    }

    /** A difference overflows only for clocks that are too far apart to be compared. */
    synchronized void onWritersRead(WritersRead read) {
        for (WriterEntry entry : read.entries()) {
            if (entry instanceof WriterEntry.Sound sound && !sound.writer().equals(read.ownWriter())) {
                in(read.partition())
                        .skewBoundsNanos
                        .merge(sound.writer(), read.readEndedNanos() - sound.timeNanos(), Math::min);
            }
        }
    }

    synchronized void onSurveyed(ClockSurveyed survey) {
        onWritersRead(survey.read());
        Collection<WriterEntry> writers = survey.read().entries();
        Surveyed found = in(survey.read().partition());
        List<String> present = writers.stream().map(WriterEntry::writer).toList();
        found.skewBoundsNanos.keySet().retainAll(present);
        found.liveWriters = writers.stream()
                .filter(entry -> entry instanceof WriterEntry.Sound sound && sound.driverSession() != null)
                .count();
        found.sizeBytes = survey.sizeBytes();
        show(skew, skews());
        show(liveWriters, most(each -> each.liveWriters));
        show(clockSize, most(each -> each.sizeBytes));
    }

    private List<Row<Number>> skews() {
        return partitions.values().stream()
                .flatMap(each -> each.skewBoundsNanos.entrySet().stream())
                .<Row<Number>>map(
                        bound -> Row.of(Tags.of("writer", bound.getKey()), bound.getValue() / NANOS_PER_SECOND))
                .toList();
    }

    private List<Row<Number>> most(ToLongFunction<Surveyed> number) {
        long most = partitions.values().stream().mapToLong(number).max().orElseThrow();
        return List.of(Row.of(Tags.empty(), most));
    }

    /**
     * Replaces the rows that are shown, also those of another engine of the same namespace and registry. Rows of another
     * engine are only replaced by a gauge that has registered them itself: hence twice.
     */
    private static void show(MultiGauge gauge, List<Row<Number>> rows) {
        gauge.register(rows, true);
        gauge.register(rows, true);
    }

    /** If another engine shows the same gauges, its rows are back with its next survey. */
    void close() {
        List.of(skew, liveWriters, clockSize).forEach(gauge -> gauge.register(List.of(), true));
    }
}
