package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Figures over histories. */
class StatisticsTest {

    private final Statistics statistics = new Statistics();

    private void add(Report finding) {
        statistics.add(finding.history(), finding.verdict());
    }

    private JsonNode json(double seconds) throws IOException {
        return new ObjectMapper().readTree(statistics.json(seconds));
    }

    private long count(String path) throws IOException {
        return json(0).at(path).asLong();
    }

    @Test
    void callsAreCountedByOperationAndByHowTheyEnded() throws IOException {
        add(Reports.busy(8));

        assertThat(count("/operations/CLAIM/YES")).isEqualTo(5);
        assertThat(count("/operations/CLAIM/NO")).isEqualTo(1);
        assertThat(count("/operations/CLAIM/UNKNOWN")).isEqualTo(1);
        assertThat(count("/operations/CLAIM/NEVER_RETURNED")).isEqualTo(1);
    }

    @Test
    void callsOfOneHistoryAreNotMistakenForThoseOfTheNext() throws IOException {
        add(Reports.busy(6));
        add(Reports.overlap("holder-0", "holder-1"));

        assertThat(count("/operations/CLAIM/NEVER_RETURNED")).isEqualTo(1);
        assertThat(count("/operations/TAKE_OVER/YES")).isEqualTo(1);
        assertThat(count("/operations/REFRESH/YES")).isEqualTo(1);
    }

    @Test
    void faultsMarksAndViolationsAreAddedUp() throws IOException {
        add(Reports.busy(8));
        add(Reports.busy(8));

        assertThat(count("/faults/CRASH")).isEqualTo(2);
        assertThat(count("/faults/FAIL_OVER")).isEqualTo(2);
        assertThat(count("/violations/G3")).isEqualTo(2);
        assertThat(statistics.reached()).containsEntry("CONFLICT", 6L);
        assertThat(count("/histories")).isEqualTo(2);
    }

    @Test
    void theFileHasTheRates() throws IOException {
        add(Reports.busy(8));
        JsonNode json = json(0.5);

        assertThat(json.get("historiesPerSecond").asDouble()).isEqualTo(2);
        assertThat(json.at("/operations/CLAIM/NEVER_RETURNED").asLong()).isEqualTo(1);
        assertThat(json.at("/violations/G3").asLong()).isEqualTo(1);
    }

    @Test
    void withoutATimeNoRateIsTold() {
        assertThat(statistics.json(0)).doesNotContain("PerSecond");
    }
}
