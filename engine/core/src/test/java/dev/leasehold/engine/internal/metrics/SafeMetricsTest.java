package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A meter that fails is logged once, and fails nothing else. */
class SafeMetricsTest {

    private final LogCapture log = new LogCapture();
    private final RecordedMetrics behind = new RecordedMetrics();
    private final EngineMetrics metrics = SafeMetrics.of("billing", () -> behind);

    @AfterEach
    void stopListening() {
        log.close();
    }

    private static final List<EngineEvent> EVENTS = List.of(
            new OperationEnded("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1),
            new ClockBlocked(),
            new TenureLost(LeaseLoss.Reason.EVICTED));

    private void useEverything() {
        EVENTS.forEach(metrics::record);
        metrics.registerGauges(() -> 11, () -> 12);
        metrics.close();
    }

    @Test
    void everythingIsPassedOn() {
        useEverything();

        assertThat(metrics.measures()).isTrue();
        assertThat(behind.events()).isEqualTo(EVENTS);
        assertThat(behind.gauges()).containsExactly("11 held, 12 waiting");
        assertThat(behind.closes()).isEqualTo(1);
    }

    @Test
    void failuresAreCaughtAndLoggedOnce() {
        behind.breakDown();

        useEverything();

        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }

    @Test
    void failureOfTheGaugesIsCaught() {
        behind.breakDown();

        metrics.registerGauges(() -> 11, () -> 12);

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void failureOfClosingIsCaught() {
        behind.breakDown();

        metrics.close();

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void metersThatCannotBeMadeMeasureNothing() {
        EngineMetrics none = SafeMetrics.of("billing", () -> {
            throw new IllegalStateException("scripted");
        });

        assertThat(none.measures()).isFalse();
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }
}
