package dev.leasehold.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Result;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContestantsTest {

    private static Outcome row(String name, String... entrants) {
        List<Series> series = List.of(entrants).stream()
                .map(each ->
                        new Series(each, Role.PEER, "it is " + each, List.of(new Sample(Map.of(Quantity.P50, 1.0), 1))))
                .toList();
        return new Outcome(
                new Heading("row", name, List.of(Quantity.P50), Quantity.P50, "", List.of()),
                new Result(series),
                Map.of());
    }

    @Test
    void whatIsToBeKnownOfAnEntrantStandsAboveTheRowsOrInItsOwn() {
        Outcome first = row("first", "a", "b");
        Outcome second = row("second", "b");
        Contestants contestants = new Contestants(List.of(first, second));

        assertThat(contestants.toString()).isEqualTo("- b: it is b.\n");
        assertThat(Page.section(first, contestants)).contains("- a: it is a.").doesNotContain("it is b");
    }
}
