package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;

/** The skews to the other writers of one partition. Used by one thread at a time. */
final class ClockSkewGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private final ClockSkews clockSkews = new ClockSkews();
    private final ProbedGauge gauge;

    ClockSkewGauges(MeterRegistry registry, Tags tags) {
        gauge = new ProbedGauge(
                registry,
                tags,
                "leasehold.skew",
                "How far this engine's clock is at most ahead of that writer's",
                "seconds");
    }

    void seen(String own, Collection<WriterEntry> entries, long readEndedNanos) {
        clockSkews.seen(own, entries, readEndedNanos);
    }

    void surveyed(ClockSurvey survey) {
        clockSkews.keepOnly(survey.writers());
        gauge.show(clockSkews.boundsNanos().entrySet().stream()
                .map(bound -> Row.of(Tags.of("writer", bound.getKey()), bound.getValue() / NANOS_PER_SECOND))
                .toList());
    }

    void close() {
        gauge.close();
    }
}
