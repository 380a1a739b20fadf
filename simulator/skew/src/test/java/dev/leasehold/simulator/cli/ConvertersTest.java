package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.estimate.Span;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertersTest {

    @ParameterizedTest
    @CsvSource({
        "30s, 30000000000",
        "500ms, 500000000",
        "2m, 120000000000",
        "1h, 3600000000000",
        "7us, 7000",
        "9ns, 9",
        "1.5s, 1500000000",
        "0s, 0"
    })
    void timesAreReadWithTheirUnit(String text, long nanos) {
        assertThat(Converters.nanos(text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "30",
                "thirty seconds",
                "-3s",
                "+3s",
                "1e3s",
                "30 s",
                "3d",
                ".5s",
                "NaNs",
                "0x1s",
                "5ms..9ms"
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> Converters.nanos(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time '" + text + "' is refused: it is written like 30s, 500ms, 1.5s or 2m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999h", "999999999999m"})
    void whatNoReaderLivesToSeeIsRefused(String text) {
        assertThatThrownBy(() -> Converters.nanos(text)).hasMessageContaining("longer than a century");
    }

    @Property
    void wholeMillisecondsAreReadExactly(@ForAll @LongRange(min = 0, max = 999_999_999) long millis) {
        assertThat(Converters.nanos(millis + "ms")).isEqualTo(millis * 1_000_000);
    }

    @ParameterizedTest
    @CsvSource({"5ms..50ms, 5000000, 50000000", "7ms, 7000000, 7000000", "1ms..1s, 1000000, 1000000000"})
    void spansHaveTwoEnds(String text, long minNanos, long maxNanos) {
        assertThat(Converters.span(text)).isEqualTo(new Span(minNanos, maxNanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"50ms..5ms", "5ms..", "..5ms", "5ms-50ms", "5ms..6ms..7ms"})
    void whatIsNoSpanIsRefused(String text) {
        assertThatThrownBy(() -> Converters.span(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is refused");
    }
}
