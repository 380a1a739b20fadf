package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.measure.Goal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RowsTest {

    private static final Plan DEFAULTS = new Plan(3, Duration.ofSeconds(1));

    private static List<String> names(List<Row> rows) {
        return rows.stream().map(row -> row.heading().name()).toList();
    }

    @Test
    void noTwoRowsHaveTheSameName() {
        assertThat(names(Rows.all())).doesNotHaveDuplicates();
    }

    @Test
    void theBeginningOfNamesMeansAllOfThem() {
        assertThat(names(Rows.named("contention"))).containsExactly("contention-64", "contention-512");
        assertThat(names(Rows.named("contention-64"))).containsExactly("contention-64");
    }

    @Test
    void theBeginningEndsAtAHyphen() {
        assertThat(Rows.named("contentio")).isEmpty();
        assertThat(Rows.named("contention-6")).isEmpty();
    }

    @Test
    void everyGoalIsJudgedByWhatItsRowShows() {
        for (Row row : Rows.all()) {
            assertThat(row.heading().goals())
                    .extracting(Goal::quantity)
                    .isSubsetOf(row.heading().columns());
            assertThat(row.heading().columns()).contains(row.heading().charted());
        }
    }

    @Test
    void whereManyWaitAtTheSameTimeATurnHasTimeForSeveralAnswersOfEachInEveryRound() {
        assertThat(Stream.of("contention", "processes").flatMap(name -> Rows.named(name).stream()))
                .hasSize(4)
                .allSatisfy(row -> {
                    assertThat(row.turn(DEFAULTS)).isEqualTo(Duration.ofSeconds(4));
                    assertThat(row.rounds(DEFAULTS)).isEqualTo(3);
                });
    }

    @Test
    void aLongerTurnIsExpectedToTakeLonger() {
        Plan longer = new Plan(3, Duration.ofSeconds(20));

        assertThat(Stream.of("contention", "processes").flatMap(name -> Rows.named(name).stream()))
                .allSatisfy(row -> assertThat(row.expected(longer).minus(row.expected(DEFAULTS)))
                        .isGreaterThan(Duration.ofSeconds(3 * 3 * 16)));
    }

    @Test
    void allRowsTogetherTakeLessThanHalfAnHour() {
        Duration all = Rows.all().stream().map(row -> row.expected(DEFAULTS)).reduce(Duration.ZERO, Duration::plus);

        assertThat(all).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(30));
    }
}
