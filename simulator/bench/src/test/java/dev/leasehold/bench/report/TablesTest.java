package dev.leasehold.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Made;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {

    @Test
    void aCellCannotBreakTheTable() {
        assertThat(new MarkdownTable(List.of("a", "b"))
                        .add(List.of("x | y", "two\nlines"))
                        .toString())
                .isEqualTo("|a|b|\n|---|---:|\n|x \\| y|two lines|\n");
    }

    @Test
    void aLineOfAnotherLengthIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MarkdownTable(List.of("a", "b")).add(List.of("x")));
    }

    @Test
    void onTheTerminalColumnsStandBelowTheirHeads() {
        Outcome outcome = new Outcome(
                new Heading(
                        "made-up",
                        "Made up",
                        List.of(Quantity.P50),
                        Quantity.P50,
                        "",
                        List.of(Goal.atMost("ours", Quantity.P50, 1, Peer.fixed(1e6)))),
                Made.result(
                        Made.series("ours", Role.OURS, Quantity.P50, 2e6),
                        Made.series("another", Role.PEER, Quantity.P50, 123e6)),
                Map.of());

        assertThat(new PlainTable(outcome).lines())
                .containsExactly(
                        "",
                        "made-up: Made up",
                        "               p50  counted",
                        "  ours     2.00 ms        1",
                        "  another   123 ms        1",
                        "  not met: ours: p50 at most 1.00 ms; is 2.00 x, 2.00 ms");
    }
}
