package dev.leasehold.engine.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a later stamp of its writer does to a validity: others count what is left from the stamp that they have seen. */
class ValidityAfterStampTest {

    private static final long SECOND = 1_000_000_000;
    private static final long WALL = 5_000 * SECOND;

    private final Validity validity = Validity.from(100 * SECOND, WALL, 10 * SECOND);

    @Test
    @DisplayName(
            "The monotonic clock was faster than time of day: what is left by the stamp is all that time of day leaves")
    void wallTimeLeavesNoMoreThanTheStamp() {
        Validity bounded = validity.afterStamp(108 * SECOND, WALL + 7 * SECOND);

        assertThat(bounded).isEqualTo(new Validity(110 * SECOND, WALL + 9 * SECOND, 10 * SECOND));
        assertThat(bounded.remainingNanos(108 * SECOND, WALL + 7 * SECOND)).isEqualTo(2 * SECOND);
    }

    @ParameterizedTest(name = "{0}: {1} ns behind the beginning, and {2} ns by time of day")
    @CsvSource({
        "the monotonic clock was slower, 4000000000, 7000000000",
        "both were as fast, 8000000000, 8000000000",
        "the stamp is that of the end, 10000000000, 0",
        "the stamp is behind the end, 11000000000, 0"
    })
    void otherwiseTimeOfDayKeepsTheEndThatItHad(String why, long elapsedNanos, long wallElapsedNanos) {
        assertThat(validity.afterStamp(100 * SECOND + elapsedNanos, WALL + wallElapsedNanos))
                .isSameAs(validity);
    }

    @Test
    void lastNanosecondIsLeftByWallTimeToo() {
        assertThat(validity.afterStamp(110 * SECOND - 1, WALL))
                .isEqualTo(new Validity(110 * SECOND, WALL + 1, 10 * SECOND));
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, 1, 9223372036854775806",
        "9223372036854775807, -9223372036854775808, 0",
        "0, 10, -9223372036854775808"
    })
    void sumsThatDoNotFitChangeNothing(long untilNanos, long stampNanos, long wallNanos) {
        Validity endless = new Validity(untilNanos, Long.MAX_VALUE, 1);

        assertThat(endless.afterStamp(stampNanos, wallNanos).wallUntilNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
