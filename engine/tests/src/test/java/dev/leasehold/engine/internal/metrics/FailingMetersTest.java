package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.world.LogCapture;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** A library that Micrometer needs may be missing, and code that was not written in Java may throw anything. */
    static Stream<Throwable> thrown() {
        return Stream.of(
                new IllegalStateException("closed"),
                new NoClassDefFoundError("org/HdrHistogram/Histogram"),
                new IOException("no route"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void failuresAreCaughtAndLoggedOnce(Throwable thrown) {
        metrics.registerGauges(() -> 11, () -> 12, () -> 3);
        registry.breakDown(thrown);

        EVENTS.forEach(metrics::record);
        metrics.close();

        assertThat(metrics.measures()).isTrue();
        assertThat(registry.failures()).isEqualTo(EVENTS.size() + 1);
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void failureOfTheGaugesIsCaught(Throwable thrown) {
        registry.breakDown(thrown);

        metrics.registerGauges(() -> 11, () -> 12, () -> 3);

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void failureOfClosingIsCaught(Throwable thrown) {
        metrics.registerGauges(() -> 11, () -> 12, () -> 3);
        registry.breakDown(thrown);

        metrics.close();

        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void metersThatCannotBeMadeMeasureNothing(Throwable thrown) {
        FailingRegistry broken = new FailingRegistry();
        broken.breakDown(thrown);

        EngineMetrics none = MicrometerMetrics.of(broken, "billing", false);

        assertThat(none.measures()).isFalse();
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }
}
