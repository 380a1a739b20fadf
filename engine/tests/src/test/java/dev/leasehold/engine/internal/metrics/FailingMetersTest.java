package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.world.LogCapture;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A meter that fails is logged once, and fails nothing else. */
class FailingMetersTest {

    @AutoClose
    private final LogCapture log = new LogCapture();

    private final FailingRegistry registry = new FailingRegistry();
    private final EngineMetrics metrics = MicrometerMetrics.of(registry, "billing", false);

    private static final List<EngineEvent> EVENTS = List.of(
            new OperationEnded("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1),
            new ClockBlocked(),
            new TenureLost(LeaseLoss.Reason.EVICTED));

    @Test
    void failuresAreCaughtAndLoggedOnce() {
        metrics.registerGauges(() -> 11, () -> 12, () -> 3);
        registry.breakDown();

        EVENTS.forEach(metrics::record);
        metrics.close();

        assertThat(metrics.measures()).isTrue();
        assertThat(registry.failures()).isEqualTo(EVENTS.size() + 1);
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }

    @Test
    void failureOfTheGaugesIsCaught() {
        registry.breakDown();

        metrics.registerGauges(() -> 11, () -> 12, () -> 3);

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void failureOfClosingIsCaught() {
        metrics.registerGauges(() -> 11, () -> 12, () -> 3);
        registry.breakDown();

        metrics.close();

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void metersThatCannotBeMadeMeasureNothing() {
        FailingRegistry broken = new FailingRegistry();
        broken.breakDown();

        EngineMetrics none = MicrometerMetrics.of(broken, "billing", false);

        assertThat(none.measures()).isFalse();
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }
}
