package dev.leasehold.engine.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingSettingsTest {

    /** As the table of settings has them. In milliseconds, empty where not set. */
    @ParameterizedTest
    @CsvSource({
        ", , , , 30000, 10000, 10000, 5000",
        "6000, , , , 6000, 2000, 2000, 1000",
        "18000, , , , 18000, 6000, 6000, 3000",
        "600000, , , , 600000, 200000, 10000, 5000",
        "300, , , , 300, 100, 100, 100",
        "40000, 5000, , , 40000, 5000, 10000, 5000",
        ", 20000, , , 60000, 20000, 10000, 5000",
        ", 5000, , , 30000, 5000, 10000, 5000",
        ", , 2000, , 30000, 10000, 2000, 1000",
        ", , 60000, , 180000, 60000, 60000, 5000",
        ", , , 20000, 60000, 20000, 20000, 20000",
        "30000, , , 20000, 30000, 10000, 20000, 20000",
        "7000, 1000, 5000, 4000, 7000, 1000, 5000, 4000",
    })
    void whatIsNotSetFollowsFromWhatIs(
            Long session,
            Long heartbeat,
            Long operation,
            Long command,
            long lasts,
            long beats,
            long operates,
            long runs) {
        TimingSettings timingSettings =
                TimingSettings.of(millis(session), millis(heartbeat), millis(operation), millis(command));

        assertThat(List.of(
                        timingSettings.session().toNanos(),
                        timingSettings.heartbeat().toNanos(),
                        timingSettings.operation().toNanos(),
                        timingSettings.command().toNanos()))
                .containsExactly(lasts * 1_000_000, beats * 1_000_000, operates * 1_000_000, runs * 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 1_000, 29_999, 30_001, 86_400_000})
    void everySessionLengthAboveTheShortestBudgetCanBeSetAlone(long session) {
        assertThat(TimingSettings.of(millis(session), null, null, null)
                        .session()
                        .toNanos())
                .isEqualTo(session * 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 10_001, 28_800_001, 43_199_999})
    void everyHeartbeatPeriodBelowHalfADayCanBeSetAlone(long period) {
        assertThat(TimingSettings.of(null, millis(period), null, null)
                        .heartbeat()
                        .toNanos())
                .isEqualTo(period * 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 10_001, 3_600_000})
    void everyBudgetCanBeSetAlone(long budget) {
        assertThat(TimingSettings.of(null, null, millis(budget), null)
                        .operation()
                        .toNanos())
                .isEqualTo(budget * 1_000_000);
        assertThat(TimingSettings.of(null, null, null, millis(budget)).command().toNanos())
                .isEqualTo(budget * 1_000_000);
    }

    @Test
    void theRefusalShowsAllFour() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimingSettings.of(millis(4_000L), millis(2_000L), null, null))
                .withMessage(
                        "heartbeat period PT2S is refused: it must be below half of the session length, which is PT4S"
                                + " (session length PT4S, heartbeat period PT2S, operation budget PT1.333333333S,"
                                + " command budget PT0.666666666S; what is not set follows from what is)");
    }

    @Test
    void aBudgetThatDoesNotFitTheSessionIsRefusedAlsoIfItFollowsFromAnother() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimingSettings.of(millis(6_000L), null, null, millis(6_000L)))
                .withMessageStartingWith(
                        "session length PT6S is refused: it must be longer than the operation budget, which is PT6S");
    }

    private static Duration millis(Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }
}
