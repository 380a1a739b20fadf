package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations and instants as text. */
class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "-1, -1 ns",
        "999, 999 ns",
        "1000, 1 µs",
        "1500, 1.5 µs",
        "-2000000, -2 ms",
        "999999999, 999.999999 ms",
        "10000000000, 10 s",
        "10000000001, 10.000000001 s",
        "7200000000000, 7200 s",
        "9223372036854775807, forever",
        "-9223372036854775808, -9223372036.854775808 s"
    })
    void exactDurationsLoseNothing(long nanos, String text) {
        assertThat(TimeText.exact(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1 ns",
        "2287488887, 2.29 s",
        "10000000001, 10 s",
        "1537584, 1.54 ms",
        "999999999, 1 s",
        "-59100123, -59.1 ms",
        "10800000000000, 3 h",
        "259200000000000, 3 d",
        "315360000000000000, 10 y",
        "9223372036854775807, forever"
    })
    void briefDurationsHaveThreeDigits(long nanos, String text) {
        assertThat(TimeText.brief(nanos)).isEqualTo(text);
    }

    @Test
    void instantsThatNeverComeAreNamedSo() {
        assertThat(TimeText.instant(Long.MAX_VALUE)).isEqualTo("never");
        assertThat(TimeText.briefInstant(Long.MAX_VALUE)).isEqualTo("never");
        assertThat(TimeText.briefInstant(11_993_809_311L)).isEqualTo("11.994 s");
    }
}
