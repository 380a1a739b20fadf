package dev.leasehold.operator.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayTextTest {

    private static final Instant NOON = Instant.parse("2073-03-03T12:00:00.000000005Z");

    @ParameterizedTest
    @CsvSource({
        "0, 0.0 s",
        "1234, 1.2 s",
        "59999, 59 s",
        "60000, 1 min 0 s",
        "3725000, 1 h 2 min",
        "90000000, 1 d 1 h",
        "-1500, -1.5 s"
    })
    void durationsAreToldInTheirLargestUnits(long millis, String words) {
        assertThat(DisplayText.of(Duration.ofMillis(millis))).isEqualTo(words);
    }

    @Test
    void instantsAreToldToTheSecond() {
        assertThat(DisplayText.of(NOON)).isEqualTo("2073-03-03 12:00:00Z");
        assertThat(DisplayText.of((Instant) null)).isEqualTo("-");
    }

    @Test
    void whatHasPassedIsSaidToHavePassed() {
        assertThat(DisplayText.until(NOON.plusSeconds(20), NOON)).isEqualTo("in 20 s");
        assertThat(DisplayText.until(NOON.minusNanos(1), NOON)).isEqualTo("passed");
    }

    @Test
    void aTimeSinceIsNeverNegative() {
        assertThat(DisplayText.since(NOON.plusSeconds(1), NOON)).isEqualTo(Duration.ZERO);
        assertThat(DisplayText.since(NOON.minusSeconds(1), NOON)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table(List.of("NAME", "TOKEN"));
        table.add(List.of("a-long-name", "1"));

        assertThat(table.lines()).containsExactly("NAME         TOKEN", "a-long-name  1");
    }
}
