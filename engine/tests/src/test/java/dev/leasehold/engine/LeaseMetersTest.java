package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.world.LogCapture;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** Meters as an application hands them in. */
class LeaseMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static void claimOf(EngineMetrics metrics) {
        metrics.record(new OperationEnded("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1));
    }

    private void throwFor(String prefix) {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().startsWith(prefix)) {
                    throw new IllegalStateException("scripted refusal of '" + id.getName() + "'");
                }
                return id;
            }
        });
    }

    @Test
    void nullRegistryIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseMeters.to(null))
                .withMessageContaining("null");
    }

    @Test
    void askingForLeaseNamesChangesNothingForOthers() {
        LeaseMeters without = LeaseMeters.to(registry);
        LeaseMeters with = without.withLeaseNames();

        claimOf(without.forNamespace("billing"));
        assertThat(registry.get("leasehold.operations").timer().getId().getTag("lease"))
                .isNull();
        claimOf(with.forNamespace("shipping"));

        assertThat(registry.get("leasehold.operations")
                        .tag("lease.namespace", "shipping")
                        .timer()
                        .getId()
                        .getTag("lease"))
                .isEqualTo("nightly");
    }

    @Test
    void registryThatThrowsFromTheStartLeavesTheEngineWithoutMeters() {
        throwFor("leasehold.");
        try (LogCapture log = new LogCapture()) {
            EngineMetrics metrics = LeaseMeters.to(registry).forNamespace("billing");

            assertThat(metrics.measures()).isFalse();
            assertThat(log.messages(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void registryThatThrowsLaterIsNotFelt() {
        throwFor("leasehold.operations");
        try (LogCapture log = new LogCapture()) {
            EngineMetrics metrics = LeaseMeters.to(registry).forNamespace("billing");

            claimOf(metrics);
            claimOf(metrics);
            metrics.record(new ClockBlocked());

            assertThat(registry.get("leasehold.clock.blocked").counter().count())
                    .isEqualTo(1);
            assertThat(log.messages(Level.WARN)).hasSize(1);
        }
    }
}
