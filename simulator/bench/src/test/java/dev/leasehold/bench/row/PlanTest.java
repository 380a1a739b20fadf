package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Duration LEAST = Duration.ofSeconds(3);

    @Test
    void whatIsWantedShorterThanASecondStaysSo() {
        assertThat(Plan.atLeast(LEAST, Duration.ofMillis(999))).isEqualTo(Duration.ofMillis(999));
    }

    @Test
    void whatCountsIsNotShorterThanTheLeast() {
        assertThat(Plan.atLeast(LEAST, Duration.ofSeconds(1))).isEqualTo(LEAST);
        assertThat(Plan.atLeast(LEAST, Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(4));
    }
}
