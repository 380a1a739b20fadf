package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContentionBackoffTest {

    private static final long MILLI = 1_000_000;

    private final RetryScheduler.ContentionBackoff contentionBackoff = new RetryScheduler.ContentionBackoff();

    @Test
    @DisplayName(
            "what conflicts have shown outlasts the operations: the first wait of the next is as long as the crowd is wide")
    void eachConflictWidensTheFirstWait() {
        long[] windowsNanos = IntStream.rangeClosed(1, 9)
                .mapToLong(conflict -> {
                    contentionBackoff.conflicted();
                    return contentionBackoff.windowNanos(1);
                })
                .toArray();

        assertThat(windowsNanos)
                .containsExactly(
                        3 * MILLI,
                        6 * MILLI,
                        12 * MILLI,
                        24 * MILLI,
                        48 * MILLI,
                        96 * MILLI,
                        192 * MILLI,
                        192 * MILLI,
                        192 * MILLI);
    }

    @Test
    void eachCommitNarrowsIt() {
        IntStream.range(0, 100).forEach(conflict -> contentionBackoff.conflicted());
        IntStream.range(0, 4).forEach(commit -> contentionBackoff.committed());

        assertThat(contentionBackoff.windowNanos(1)).isEqualTo(24 * MILLI);
    }

    @Test
    void itIsNeverNarrowerThanTheShortestWindow() {
        IntStream.range(0, 100).forEach(commit -> contentionBackoff.committed());
        contentionBackoff.conflicted();

        assertThat(contentionBackoff.windowNanos(1)).isEqualTo(3 * MILLI);
    }

    @Test
    @DisplayName(
            "an attempt that has failed more often waits less, down to the shortest window, so that none is overtaken for ever")
    void whatFailedMoreOftenWaitsLess() {
        IntStream.range(0, 8).forEach(conflict -> contentionBackoff.conflicted());

        assertThat(IntStream.rangeClosed(1, 10).mapToLong(contentionBackoff::windowNanos))
                .containsExactly(
                        192 * MILLI,
                        192 * MILLI,
                        192 * MILLI,
                        96 * MILLI,
                        96 * MILLI,
                        48 * MILLI,
                        48 * MILLI,
                        24 * MILLI,
                        24 * MILLI,
                        12 * MILLI);
    }

    @Test
    @DisplayName("an attempt that fails all the same does so for another reason than a crowd, and waits longest")
    void whatFailsForEverWaitsLongest() {
        assertThat(contentionBackoff.windowNanos(10)).isEqualTo(3 * MILLI);
        assertThat(contentionBackoff.windowNanos(11)).isEqualTo(192 * MILLI);
    }
}
