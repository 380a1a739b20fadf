package dev.leasehold.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({"20s, 20000", "500ms, 500", "1.5s, 1500", "2m, 120000", "0.5m, 30000", "60m, 3600000"})
    void isReadInItsUnit(String text, long millis) {
        assertThat(new DurationText().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }
}
