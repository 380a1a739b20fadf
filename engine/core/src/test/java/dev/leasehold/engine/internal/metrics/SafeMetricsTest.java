package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.internal.metrics.EngineMetrics.Resolution;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A meter that fails is logged once, and felt by nobody. */
class SafeMetricsTest {

    private final LogCapture log = new LogCapture();
    private final RecordedMetrics behind = new RecordedMetrics();
    private final EngineMetrics metrics = SafeMetrics.of("billing", () -> behind);

    @AfterEach
    void stopListening() {
        log.close();
    }

    private void reportEverything() {
        metrics.operation("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1);
        metrics.transaction(Verdict.APPLIED, 2);
        metrics.clockHeld(3);
        metrics.commitEnded(4);
        metrics.unknownResolved(Resolution.LANDED);
        metrics.stuckTransactionEnded();
        metrics.clockBlocked();
        metrics.viewRead(6);
        metrics.writersSeen("billing~3", "a#1", List.of(), 7);
        metrics.clockProbed("billing~3", new ClockSurvey(8, List.of()));
        metrics.leasesWritten(Verdict.MISSED, 9);
        metrics.heartbeat(false);
        metrics.lost(LeaseLoss.Reason.EVICTED);
        metrics.handedOver(10);
        metrics.holdings(() -> 11, () -> 12);
        metrics.close();
    }

    @Test
    void everyReportIsPassedOn() {
        reportEverything();

        assertThat(metrics.measures()).isTrue();
        assertThat(behind.reports())
                .containsExactly(
                        "claim nightly GRANTED FREE 1",
                        "transaction APPLIED 2",
                        "held 3",
                        "commit 4",
                        "resolved LANDED",
                        "stuck",
                        "blocked",
                        "read 6",
                        "seen billing~3 a#1 [] 7",
                        "surveyed billing~3 8",
                        "leases MISSED 9",
                        "heartbeat false",
                        "lost EVICTED",
                        "handed over 10",
                        "holdings 11 12",
                        "close");
    }

    @Test
    void failuresOfEveryReportStayHereAndAreLoggedOnce() {
        behind.breakDown();

        reportEverything();

        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
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
