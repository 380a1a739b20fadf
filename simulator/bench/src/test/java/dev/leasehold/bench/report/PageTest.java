package dev.leasehold.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Made;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import dev.leasehold.bench.row.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

    private static final Machine MACHINE =
            new Machine(2, 24, "Linux, amd64", "a JVM", "6.0.5", "All on one.", LocalDate.of(2073, 3, 3));
    private static final Plan PLAN = new Plan(3, Duration.ofMillis(1_500));

    private static Outcome outcome(double ours, double peer) {
        return new Outcome(
                new Heading(
                        "uncontended",
                        "One | caller",
                        List.of(Quantity.P50),
                        Quantity.P50,
                        "bare",
                        List.of(Goal.atMost("ours", Quantity.P50, 1.1, Peer.entrant("bare")))),
                Made.result(
                        Made.series("ours", Role.OURS, Quantity.P50, ours, ours, ours),
                        Made.series("peer", Role.PEER, Quantity.P50, peer, peer, peer),
                        Made.series("bare", Role.BARE, Quantity.P50, 1e6, 2e6, 4e6)),
                Map.of("late", "it failed"));
    }

    private static String page(double ours, double peer) {
        return new Page(MACHINE, PLAN, List.of(outcome(ours, peer))).markdown();
    }

    @Test
    void theTableShowsMediansAndTheRatioToTheBareEntrant() {
        assertThat(page(2e6, 3e6))
                .contains("||p50, ms|p50 / bare|\n")
                .contains("|ours|2.00|1.00|\n")
                .contains("|bare|2.00|1.00|\n");
    }

    @Test
    void eachGoalHasWhatWasMeasuredAndItsVerdict() {
        assertThat(page(2e6, 3e6))
                .contains("|ours: p50 at most 1.10 x bare|[uncontended](#uncontended)|1.00 (0.50 to 2.00)|met|");
        assertThat(page(4e6, 3e6)).contains("|**not met**|");
    }

    @Test
    void figureOfAPeerThatIsBetterIsBold() {
        assertThat(page(4e6, 3e6)).contains("|peer|**3.00**|");
        assertThat(page(2e6, 3e6)).contains("|peer|3.00|");
    }

    @Test
    void entrantThatFailedIsNamed() {
        assertThat(page(2e6, 3e6)).contains("- late failed, and has no figures: `it failed`");
    }

    @Test
    void machineRoundsAndDayAreSaid() {
        assertThat(page(2e6, 3e6))
                .contains("2 cores, 24 GiB, Linux, amd64; a JVM; MongoDB 6.0.5. Measured on 2073-03-03. All on one.")
                .contains("3 rounds, with turns of 1.5 s.");
    }

    @Test
    void theChartAndAllFiguresAreWrittenBesideThePage(@TempDir Path folder) throws IOException {
        new Page(MACHINE, PLAN, List.of(outcome(2e6, 3e6))).write(folder);

        assertThat(folder.resolve("benchmarks/results.md")).content().contains("![uncontended](uncontended.svg)");
        assertThat(folder.resolve("benchmarks/uncontended.svg")).content().startsWith("<svg");
        assertThat(folder.resolve("benchmarks/results.csv"))
                .content()
                .contains("uncontended,\"bare\",p50,2.00000e+06,1.00000e+06,4.00000e+06,3\n");
    }

    @Test
    void aTextThatIsNotThereAndAValueThatIsNotThereAreFound() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Prose.read("none.md", Map.of()))
                .withMessageContaining("none.md");
        assertThatIllegalStateException()
                .isThrownBy(() -> Prose.read("page.md", Map.of()))
                .withMessageContaining("{{");
    }
}
