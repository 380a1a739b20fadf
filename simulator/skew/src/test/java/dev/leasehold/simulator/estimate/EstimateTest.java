package dev.leasehold.simulator.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private static final EstimateSettings SETTINGS = new EstimateSettings(
            30 * SECOND,
            10 * SECOND,
            60 * SECOND,
            1_000,
            new Span(MILLI, 5 * MILLI),
            new Span(MILLI, 3 * MILLI),
            3,
            60,
            new Span(5 * MILLI, 20 * MILLI));

    private static Estimate.Line line(Long... delaysNanos) {
        return new Estimate.Line(LeaseKind.SESSION, HolderCase.DIES, List.of(delaysNanos), 4, 0, 0, 0, 0);
    }

    private static final Estimate ESTIMATE = new Estimate(
            SETTINGS,
            4,
            List.of(
                    line(25 * SECOND, 25_500 * MILLI, 31 * SECOND),
                    new Estimate.Line(LeaseKind.TERM, HolderCase.STALLS, List.of(), 4, 800, 2, 100, 0)));

    @Test
    void tablesAreText() {
        assertThat(ESTIMATE.text()).isEqualTo("""
                From the holder's death until the next one holds

                lease            holder  deaths     p50   p99   max  computed bound  never
                ---------------  ------  ------  ------  ----  ----  --------------  -----
                session of 30 s  idle         3  25.5 s  31 s  31 s            32 s      1

                The computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the server
                ends it, here after 60 s, looked for every 30 s.

                Gated transactions, 60 per minute

                lease         holder               transactions  refused  run again  unknown
                ------------  -------------------  ------------  -------  ---------  -------
                term of 60 s  stalls, is replaced           800   0.25 %    12.50 %   0.00 %

                A stalled holder stops for the computed bound and a second. Another process works for it until it wakes, and is refused
                from when it is replaced. Transactions are run again because others assert the same lease at the same time.
                """);
    }

    @Test
    void thePageNeedsNothingElse() {
        String page = EstimatePage.html(ESTIMATE, "java -jar x.jar estimate --report <here>");
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("prefers-color-scheme: dark")
                .contains(" s computed bound</td>")
                .contains("estimate --report &lt;here&gt;")
                .doesNotContain("http", "<script", "src=");
    }

    @Test
    void aQuantileIsAMeasuredTime() {
        Estimate.Line line = line(1L, 2L, 3L, 4L);
        assertThat(line.quantileNanos(0.5)).isEqualTo(2);
        assertThat(line.quantileNanos(0.51)).isEqualTo(3);
        assertThat(line.quantileNanos(0.99)).isEqualTo(4);
        assertThat(line.quantileNanos(1)).isEqualTo(4);
    }
}
