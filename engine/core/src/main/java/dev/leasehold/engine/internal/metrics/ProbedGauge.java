package dev.leasehold.engine.internal.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one gauge, as the latest survey found them. Used by one thread at a time.
 *
 * <p>Every survey puts its rows in place of those that are there, also of another engine of the same namespace and registry:
 * whoever closes and takes rows away takes them until the other's next survey.
 */
final class ProbedGauge {

    private final MultiGauge gauge;

    /** With a unit if it is none of a mere number. */
    ProbedGauge(MeterRegistry registry, Tags tags, String name, String description, @Nullable String unit) {
        gauge = MultiGauge.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    /** Rows that another engine registered are only replaced by one that knows them as its own: hence twice. */
    void show(List<Row<Number>> rows) {
        gauge.register(rows, true);
        gauge.register(rows, true);
    }

    /** Takes away the rows that were shown last. */
    void close() {
        gauge.register(List.of(), true);
    }
}
