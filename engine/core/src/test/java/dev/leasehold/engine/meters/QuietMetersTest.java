package dev.leasehold.engine.meters;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.byhand.LogCapture;
import dev.leasehold.engine.meters.EngineMeters.Resolution;
import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriteOutcome.Verdict;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A meter that fails is logged once, and felt by nobody. */
class QuietMetersTest {

    private final LogCapture log = new LogCapture();
    private final RecordedMeters behind = new RecordedMeters();
    private final EngineMeters meters = QuietMeters.of("billing", () -> behind);

    @AfterEach
    void stopListening() {
        log.close();
    }

    private void reportEverything() {
        meters.operation("claim", "nightly", Outcome.GRANTED, LeaseStatus.FREE, 1);
        meters.transaction(Verdict.APPLIED, 2);
        meters.clockHeld(3);
        meters.commitEnded(4);
        meters.resolved(Resolution.LANDED);
        meters.stuckTransactionEnded();
        meters.clockBlocked();
        meters.viewRead(6);
        meters.writersSeen("billing~3", "a#1", List.of(), 7);
        meters.surveyed("billing~3", new ClockSurvey(8, List.of()));
        meters.leasesWritten(Verdict.MISSED, 9);
        meters.heartbeat(false);
        meters.lost(LeaseLoss.Reason.EVICTED);
        meters.handedOver(10);
        meters.holdings(() -> 11, () -> 12);
        meters.close();
    }

    @Test
    void everyReportIsPassedOn() {
        reportEverything();

        assertThat(meters.measures()).isTrue();
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
        EngineMeters none = QuietMeters.of("billing", () -> {
            throw new IllegalStateException("scripted");
        });

        assertThat(none.measures()).isFalse();
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("'billing'");
    }
}
