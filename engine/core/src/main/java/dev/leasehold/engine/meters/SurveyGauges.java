package dev.leasehold.engine.meters;

import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.List;

/**
 * What the latest survey of the clock document found.
 *
 * <p>Every survey puts its rows in place of those that are there, also of another engine of the same namespace and registry:
 * whoever closes and takes rows away takes them until the other's next survey.
 */
final class SurveyGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Skews skews = new Skews();
    private final MultiGauge skew;
    private final MultiGauge liveWriters;
    private final MultiGauge clockSize;

    SurveyGauges(MeterRegistry registry, Tags tags) {
        skew = MultiGauge.builder("leasehold.skew")
                .description("At most so far is this engine's clock ahead of the writer's")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        liveWriters = MultiGauge.builder("leasehold.live.writers")
                .description("Writers in the clock document that still have a driver session")
                .baseUnit("writers")
                .tags(tags)
                .register(registry);
        clockSize = MultiGauge.builder("leasehold.clock.size")
                .description("Size of the clock document")
                .baseUnit("bytes")
                .tags(tags)
                .register(registry);
    }

    void seen(String own, Collection<WriterEntry> entries, long readEndedNanos) {
        skews.seen(own, entries, readEndedNanos);
    }

    void surveyed(ClockSurvey survey) {
        skews.keepOnly(survey.writers());
        show(skew, skewRows());
        show(liveWriters, List.of(Row.of(Tags.empty(), liveWriters(survey))));
        show(clockSize, List.of(Row.of(Tags.empty(), survey.sizeBytes())));
    }

    /** Rows that another engine registered are only replaced by one that knows them as its own: hence twice. */
    private static void show(MultiGauge gauge, List<Row<Number>> rows) {
        gauge.register(rows, true);
        gauge.register(rows, true);
    }

    private List<Row<Number>> skewRows() {
        return skews.boundsNanos().entrySet().stream()
                .map(bound -> Row.of(Tags.of("writer", bound.getKey()), bound.getValue() / NANOS_PER_SECOND))
                .toList();
    }

    private static long liveWriters(ClockSurvey survey) {
        return survey.writers().stream()
                .filter(entry -> entry instanceof WriterEntry.Sound sound && sound.driverSession() != null)
                .count();
    }

    void close() {
        for (MultiGauge gauge : List.of(skew, liveWriters, clockSize)) {
            gauge.register(List.of(), true);
        }
    }
}
