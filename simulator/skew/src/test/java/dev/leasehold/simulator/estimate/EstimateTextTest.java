package dev.leasehold.simulator.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.estimate.Circumstances.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTextTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private static final Circumstances CIRCUMSTANCES = new Circumstances(
            30 * SECOND,
            10 * SECOND,
            60 * SECOND,
            1_000,
            new Span(MILLI, 5 * MILLI),
            new Span(MILLI, 3 * MILLI),
            3,
            60,
            new Span(5 * MILLI, 20 * MILLI));

    private static final Estimate ESTIMATE = new Estimate(
            CIRCUMSTANCES,
            4,
            List.of(new TakeOvers(
                    Kind.SESSION,
                    Scenario.DIES,
                    new Sample(new long[] {31 * SECOND, 25 * SECOND, 25_500 * MILLI}),
                    1,
                    36 * SECOND)),
            List.of(new Gates(Kind.TERM, Scenario.STALLS, new GateShares(800, 2, 0, 100))));

    @Test
    void tablesAndBarsAreText() {
        assertThat(EstimateText.of(ESTIMATE)).isEqualTo("""
                From the holder's death until the next one holds

                lease            holder  deaths     p50   p99   max  computed bound  never
                ---------------  ------  ------  ------  ----  ----  --------------  -----
                session of 30 s  idle         3  25.5 s  31 s  31 s            36 s      1

                The computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the server
                ends it, here after 60 s, looked for every 30 s.

                Gated transactions, 60 per minute

                lease         holder               transactions  refused  run again  unknown
                ------------  -------------------  ------------  -------  ---------  -------
                term of 60 s  stalls, is replaced           800   0.25 %    12.50 %   0.00 %

                A stalled holder stops for the computed bound and a second. Those who work for it go on with its tenure until it wakes, and
                are refused from when it is replaced. Transactions are run again because others assert the same lease at the same time.

                session of 30 s: delays of 3 take-overs
                     22 s |
                     24 s |################################################ 2
                     26 s |
                     28 s |
                     30 s |######################## 1
                     32 s |
                     34 s |
                     36 s |
                """);
    }

    @Test
    void thePageNeedsNothingElse() {
        String page = EstimatePage.html(ESTIMATE, "java -jar x.jar estimate --report <here>");
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("prefers-color-scheme: dark")
                .contains("<title>24 s to 26 s: 2</title>")
                .contains("computed bound 36 s")
                .contains("estimate --report &lt;here&gt;")
                .doesNotContain("http", "<script", "src=");
    }

    @Test
    void aQuantileIsAMeasuredTime() {
        Sample sample = new Sample(new long[] {4, 1, 3, 2});
        assertThat(sample.quantileNanos(0.5)).isEqualTo(2);
        assertThat(sample.quantileNanos(0.51)).isEqualTo(3);
        assertThat(sample.quantileNanos(0.99)).isEqualTo(4);
        assertThat(sample.maxNanos()).isEqualTo(4);
    }

    @Test
    void ofNothingThereIsNoQuantile() {
        assertThatThrownBy(() -> new Sample(new long[0]).maxNanos()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void barsHaveRoundWidths() {
        assertThat(Bars.roundUp(1)).isEqualTo(1);
        assertThat(Bars.roundUp(3)).isEqualTo(5);
        assertThat(Bars.roundUp(51)).isEqualTo(100);
        assertThat(Bars.roundUp(2_000)).isEqualTo(2_000);
    }
}
