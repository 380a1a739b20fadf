package dev.leasehold.engine.meters;

import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;

/** The skews to the other writers of one partition. Used by one thread at a time. */
final class SkewGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Skews skews = new Skews();
    private final SurveyedGauge gauge;

    SkewGauges(MeterRegistry registry, Tags tags) {
        gauge = new SurveyedGauge(
                registry,
                tags,
                "leasehold.skew",
                "How far this engine's clock is at most ahead of that writer's",
                "seconds");
    }

    void seen(String own, Collection<WriterEntry> entries, long readEndedNanos) {
        skews.seen(own, entries, readEndedNanos);
    }

    void surveyed(ClockSurvey survey) {
        skews.keepOnly(survey.writers());
        gauge.show(skews.boundsNanos().entrySet().stream()
                .map(bound -> Row.of(Tags.of("writer", bound.getKey()), bound.getValue() / NANOS_PER_SECOND))
                .toList());
    }

    void close() {
        gauge.close();
    }
}
