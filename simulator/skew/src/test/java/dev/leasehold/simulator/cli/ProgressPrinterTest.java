package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.Batch.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressPrinterTest {

    private static final long SECOND = 1_000_000_000;

    private final StringWriter text = new StringWriter();
    private long nowNanos = -5 * SECOND;

    private ProgressPrinter printer(long histories, long timeNanos) {
        return new ProgressPrinter(new PrintWriter(text), histories, timeNanos, () -> nowNanos);
    }

    private void tell(ProgressPrinter printer, long afterNanos, long histories, int failures) {
        nowNanos += afterNanos;
        printer.accept(new Progress(histories, failures));
    }

    @Test
    void aLineComesEveryTenSecondsWithRateFailuresAndTimeLeft() {
        ProgressPrinter printer = printer(40_000, Long.MAX_VALUE);
        tell(printer, 10 * SECOND, 10_000, 0);
        tell(printer, 10 * SECOND, 30_000, 2);
        assertThat(text)
                .hasToString(
                        "10000 histories, 1000/s, 0 failed, about 30 s left%n30000 histories, 1500/s, 2 failed, about 6 s left%n"
                                .formatted());
    }

    @Test
    void nothingIsPrintedBeforeTheTime() {
        ProgressPrinter printer = printer(40_000, Long.MAX_VALUE);
        tell(printer, 10 * SECOND - 1, 39_999, 0);
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void whatIsOverByTimeIsLeftByTime() {
        ProgressPrinter printer = printer(Long.MAX_VALUE, 60 * SECOND);
        tell(printer, 20 * SECOND, 500, 0);
        assertThat(text.toString()).contains("about 40 s left");
    }

    @Test
    void howLongItTakesIsNotGuessedBeforeTheFirstHistory() {
        ProgressPrinter printer = printer(100, Long.MAX_VALUE);
        tell(printer, 10 * SECOND, 0, 0);
        assertThat(text).hasToString("0 histories, 0/s, 0 failed%n".formatted());
    }

    @Test
    void withoutAnyHistoryTheTimeIsAllThatIsLeft() {
        ProgressPrinter printer = printer(100, 60 * SECOND);
        tell(printer, 20 * SECOND, 0, 0);
        assertThat(text.toString()).contains("about 40 s left");
    }
}
