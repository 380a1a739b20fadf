package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void windowDoublesUpToALimit() {
        assertThat(IntStream.rangeClosed(1, 9).mapToLong(Backoff::windowNanos))
                .containsExactly(
                        3_000_000L,
                        6_000_000L,
                        12_000_000L,
                        24_000_000L,
                        48_000_000L,
                        96_000_000L,
                        192_000_000L,
                        192_000_000L,
                        192_000_000L);
    }

    @Test
    void isLongestOnceItNoLongerGrows() {
        assertThat(IntStream.rangeClosed(0, 9).filter(Backoff::isLongest)).containsExactly(7, 8, 9);
    }

    @Test
    void windowNeverWrapsHoweverManyFailures() {
        assertThat(Backoff.windowNanos(Integer.MAX_VALUE)).isEqualTo(192_000_000L);
    }

    @Test
    void longWindowDoublesUpToTenSeconds() {
        assertThat(IntStream.rangeClosed(1, 9).mapToLong(Backoff::longWindowNanos))
                .containsExactly(
                        100_000_000L,
                        200_000_000L,
                        400_000_000L,
                        800_000_000L,
                        1_600_000_000L,
                        3_200_000_000L,
                        6_400_000_000L,
                        10_000_000_000L,
                        10_000_000_000L);
    }

    @Test
    void longWindowNeverWrapsHoweverManyFailures() {
        assertThat(Backoff.longWindowNanos(Integer.MAX_VALUE)).isEqualTo(10_000_000_000L);
    }
}
