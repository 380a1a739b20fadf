package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

    private static final long SECOND = 1_000_000_000;

    private final StringWriter text = new StringWriter();
    private long nowNanos = -5 * SECOND;

    private ProgressLines lines(Goal goal) {
        return new ProgressLines(new PrintWriter(text), goal, () -> nowNanos);
    }

    private void tell(ProgressLines lines, long afterNanos, long histories, int failures) {
        nowNanos += afterNanos;
        lines.accept(new Progress(histories, failures));
    }

    @Test
    void aLineComesEveryTenSecondsWithRateFailuresAndTimeLeft() {
        ProgressLines lines = lines(new Goal(40_000, Long.MAX_VALUE));
        tell(lines, 10 * SECOND, 10_000, 0);
        tell(lines, 10 * SECOND, 30_000, 2);
        assertThat(text)
                .hasToString(
                        "10000 histories, 1000/s, 0 failures, about 30 s left%n30000 histories, 1500/s, 2 failures, about 6 s left%n"
                                .formatted());
    }

    @Test
    void nothingIsSaidBeforeTheTime() {
        ProgressLines lines = lines(new Goal(40_000, Long.MAX_VALUE));
        tell(lines, 10 * SECOND - 1, 39_999, 0);
        lines.close();
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void whatIsOverByTimeIsLeftByTime() {
        ProgressLines lines = lines(new Goal(Long.MAX_VALUE, 60 * SECOND));
        tell(lines, 20 * SECOND, 500, 0);
        assertThat(text.toString()).contains("about 40 s left");
    }

    @Test
    void withoutAnyHistoryTheTimeIsAllThatIsLeft() {
        assertThat(new Goal(100, 60 * SECOND).leftNanos(0, 20 * SECOND)).isEqualTo(40 * SECOND);
    }

    @Test
    void theBarIsAsLongAsTheBatch() {
        assertThat(new Goal(100, Long.MAX_VALUE).bar()).isEqualTo(100);
        assertThat(new Goal(100, Long.MAX_VALUE).barDone(50, SECOND)).isEqualTo(50);
    }

    @Test
    void theBarOfABatchThatEndsByTimeIsOfSeconds() {
        assertThat(new Goal(Long.MAX_VALUE, 60 * SECOND).bar()).isEqualTo(60);
        assertThat(new Goal(Long.MAX_VALUE, 60 * SECOND).barDone(50, 30 * SECOND))
                .isEqualTo(30);
        assertThat(new Goal(Long.MAX_VALUE, 60 * SECOND).barDone(50, 61 * SECOND))
                .isEqualTo(60);
    }
}
