package dev.leasehold.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.measure.Made;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Readings;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BetterPeersTest {

    private static final Series OURS = series("ours", Role.OURS, 2e6, 20e6, 100);

    private static Series series(String name, Role role, double p50, double p99, double rate) {
        Map<Quantity, Double> values = Map.of(Quantity.P50, p50, Quantity.P99, p99, Quantity.RATE, rate);
        return new Series(name, role, "", List.of(new Readings(values, 1)));
    }

    private static String better(Series... peers) {
        Heading heading = new Heading(
                "row", "Row", List.of(Quantity.P50, Quantity.P99, Quantity.RATE), Quantity.RATE, "", List.of());
        Series[] all = new Series[peers.length + 1];
        all[0] = OURS;
        System.arraycopy(peers, 0, all, 1, peers.length);
        return new BetterPeers(List.of(new Outcome(heading, Made.result(all), Map.of()))).toString();
    }

    @Test
    void aPeerThatIsBetterInWhatIsNotChartedIsNamedToo() {
        assertThat(better(series("peer", Role.PEER, 3e6, 10e6, 50)))
                .isEqualTo("- [row](#row): peer has 0.50 x the p99 of ours.\n");
    }

    @Test
    void allThatItIsBetterInStandsInOneLine() {
        assertThat(better(series("peer", Role.ONE_NODE_PEER, 1e6, 10e6, 300)))
                .isEqualTo(
                        "- [row](#row): peer has 0.50 x the p50, 0.50 x the p99 and 3.00 x the operations per second of ours.\n");
    }

    @Test
    void whoIsBareOrOursOrNotBetterIsNotNamed() {
        assertThat(better(
                        series("bare", Role.BARE, 1e6, 1e6, 900),
                        series("variant", Role.OURS, 1e6, 1e6, 900),
                        series("slow", Role.PEER, 2e6, 20e6, 100)))
                .isEqualTo("In no row of this run.\n");
    }
}
