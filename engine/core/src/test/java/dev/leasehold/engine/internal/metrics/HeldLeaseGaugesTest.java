package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.metrics.EngineEvent.HeartbeatEnded;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the engines of a process hold at present, and how many wait in them. */
class HeldLeaseGaugesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    private static MicrometerMetrics meters(MeterRegistry registry, String namespace) {
        return new MicrometerMetrics(registry, namespace, false);
    }

    private MicrometerMetrics engineHolding(int leases, int waiters) {
        MicrometerMetrics meters = meters(registry, "billing");
        meters.registerGauges(() -> leases, () -> waiters, () -> 3);
        return meters;
    }

    private double gauge(String name) {
        return registry.get(name).tag("lease.namespace", "billing").gauge().value();
    }

    private boolean shows(String word) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .anyMatch(name -> name.contains(word));
    }

    @Test
    void gaugesTellThePresent() {
        meters(registry, "billing").registerGauges(held::get, waiting::get, () -> 3);
        assertThat(gauge("leasehold.held.leases")).isZero();
        assertThat(gauge("leasehold.waiters")).isZero();

        held.set(3);
        waiting.set(17);

        assertThat(gauge("leasehold.held.leases")).isEqualTo(3);
        assertThat(gauge("leasehold.waiters")).isEqualTo(17);
    }

    @Test
    void closingTakesThemAwayAndLeavesWhatWasCounted() {
        MicrometerMetrics meters = engineHolding(3, 17);
        meters.record(new HeartbeatEnded(true));

        meters.close();

        assertThat(shows("held.leases")).isFalse();
        assertThat(shows("waiters")).isFalse();
        assertThat(registry.get("leasehold.heartbeats")
                        .tag("outcome", "acknowledged")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void enginesOfOneNamespaceAreSummedUp() {
        engineHolding(3, 17);
        engineHolding(40, 500);

        assertThat(gauge("leasehold.held.leases")).isEqualTo(43);
        assertThat(gauge("leasehold.waiters")).isEqualTo(517);
    }

    @Test
    void whoeverClosesFirstTakesAwayNothingOfTheOther() {
        MicrometerMetrics first = engineHolding(3, 17);
        MicrometerMetrics second = engineHolding(40, 500);

        first.close();
        assertThat(gauge("leasehold.held.leases")).isEqualTo(40);
        assertThat(gauge("leasehold.waiters")).isEqualTo(500);

        second.close();
        assertThat(shows("held.leases")).isFalse();
    }

    @Test
    void secondCloseTakesAwayNothingOfAnother() {
        MicrometerMetrics first = engineHolding(3, 17);
        first.close();
        engineHolding(40, 500);

        first.close();

        assertThat(gauge("leasehold.held.leases")).isEqualTo(40);
    }

    @Test
    void enginesOfDifferentNamespacesDoNotMeet() {
        engineHolding(3, 17);
        MicrometerMetrics other = meters(registry, "shipping");
        other.registerGauges(() -> 40, () -> 500, () -> 3);
        assertThat(gauge("leasehold.held.leases")).isEqualTo(3);

        other.close();

        assertThat(gauge("leasehold.held.leases")).isEqualTo(3);
        assertThat(registry.find("leasehold.held.leases")
                        .tag("lease.namespace", "shipping")
                        .gauge())
                .isNull();
    }

    @Test
    void enginesOfDifferentRegistriesDoNotMeet() {
        engineHolding(3, 17);
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        meters(other, "billing").registerGauges(() -> 40, () -> 500, () -> 3);

        assertThat(gauge("leasehold.held.leases")).isEqualTo(3);
        assertThat(other.get("leasehold.held.leases").gauge().value()).isEqualTo(40);
    }

    @Test
    void theyAreTakenAwayUnderTheNameAndTagsThatARegistryGaveThem() {
        registry.config().commonTags("region", "north").meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                return id.withName("app." + id.getName());
            }
        });
        MicrometerMetrics meters = engineHolding(3, 17);
        assertThat(registry.get("app.leasehold.held.leases")
                        .tag("region", "north")
                        .gauge()
                        .value())
                .isEqualTo(3);

        meters.close();

        assertThat(shows("held.leases")).isFalse();
        assertThat(shows("waiters")).isFalse();
    }

    @Test
    void engineThatARegistryRefusedLeavesNothingForTheNextToStumbleOver() {
        MicrometerMetrics refused = meters(registry, "billing");
        AtomicInteger refusals = new AtomicInteger();
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().endsWith("waiters") && refusals.getAndIncrement() == 0) {
                    throw new IllegalStateException("scripted refusal");
                }
                return id;
            }
        });
        refused.registerGauges(() -> 3, () -> 17, () -> 3);
        assertThat(refusals).hasValue(1);

        engineHolding(40, 500);
        refused.close();

        assertThat(gauge("leasehold.held.leases")).isEqualTo(40);
        assertThat(gauge("leasehold.waiters")).isEqualTo(500);
    }
}
