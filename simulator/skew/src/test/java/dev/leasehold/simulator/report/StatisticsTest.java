package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Figures over histories. */
class StatisticsTest {

    private final Statistics statistics = new Statistics();

    private void add(Finding finding) {
        statistics.add(finding.history(), finding.verdict());
    }

    @Test
    void callsAreCountedByOperationAndByHowTheyEnded() {
        add(Findings.busy(8));

        assertThat(statistics.operations(Operation.Kind.CLAIM, Answer.Kind.YES)).isEqualTo(5);
        assertThat(statistics.operations(Operation.Kind.CLAIM, Answer.Kind.NO)).isEqualTo(1);
        assertThat(statistics.operations(Operation.Kind.CLAIM, Answer.Kind.UNKNOWN))
                .isEqualTo(1);
        assertThat(statistics.operations(Operation.Kind.CLAIM, null)).isEqualTo(1);
    }

    @Test
    void callsOfOneHistoryAreNotMistakenForThoseOfTheNext() {
        add(Findings.busy(6));
        add(Findings.overlap("holder-0", "holder-1"));

        assertThat(statistics.operations(Operation.Kind.CLAIM, null)).isEqualTo(1);
        assertThat(statistics.operations(Operation.Kind.TAKE_OVER, Answer.Kind.YES))
                .isEqualTo(1);
        assertThat(statistics.operations(Operation.Kind.REFRESH, Answer.Kind.YES))
                .isEqualTo(1);
    }

    @Test
    void manyCallsAreCountedToo() {
        add(Findings.busy(400));

        assertThat(statistics.operations(Operation.Kind.CLAIM, Answer.Kind.YES)).isEqualTo(250);
    }

    @Test
    void faultsMarksAndViolationsAreAddedUp() {
        add(Findings.busy(8));
        add(Findings.busy(8));

        assertThat(statistics.faults()).containsEntry("CRASH", 2L).containsEntry("FAIL_OVER", 2L);
        assertThat(statistics.reached()).containsEntry("CONFLICT", 6L);
        assertThat(statistics.violations(Promise.G3)).isEqualTo(2);
        assertThat(statistics.histories()).isEqualTo(2);
    }

    @Test
    void mergingIsAddingBoth() {
        Statistics other = new Statistics();
        Finding finding = Findings.busy(20);
        other.add(finding.history(), finding.verdict());
        other.addKill("no-margin", new Statistics.Kill(Promise.G3, 12, 3.5, 4));
        add(Findings.overlap("holder-0", "holder-1"));
        statistics.merge(other);

        Statistics both = new Statistics();
        Finding overlap = Findings.overlap("holder-0", "holder-1");
        both.add(overlap.history(), overlap.verdict());
        both.add(finding.history(), finding.verdict());
        both.addKill("no-margin", new Statistics.Kill(Promise.G3, 12, 3.5, 4));
        assertThat(statistics.json(2)).isEqualTo(both.json(2));
    }

    @Test
    void theFileHasTheRatesAndTheKills() throws IOException {
        add(Findings.busy(8));
        statistics.addKill("no-margin", new Statistics.Kill(Promise.G3, 12, 3.5, 4));
        JsonNode json = new ObjectMapper().readTree(statistics.json(0.5));

        assertThat(json.get("historiesPerSecond").asDouble()).isEqualTo(2);
        assertThat(json.at("/operations/CLAIM/NEVER_RETURNED").asLong()).isEqualTo(1);
        assertThat(json.at("/violations/G3").asLong()).isEqualTo(1);
        assertThat(json.at("/kills/no-margin/promise").asText()).isEqualTo("G3");
        assertThat(json.at("/kills/no-margin/firstHistory").asLong()).isEqualTo(12);
        assertThat(json.at("/kills/no-margin/commands").asInt()).isEqualTo(4);
    }

    @Test
    void withoutATimeNoRateIsTold() {
        assertThat(statistics.json(0)).doesNotContain("PerSecond");
    }
}
