package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.run.EngineRunner;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.InputSource;

/** Reports about what engines really do. */
class RealHistoriesTest {

    @ParameterizedTest
    @EnumSource
    void historiesOfEveryProfileCanBeToldAndDrawn(Profile profile) throws Exception {
        try (HistoryRunner runner = new EngineRunner()) {
            for (int seed = 1; seed <= 4; seed++) {
                Plan plan = PlanGenerator.draw(profile, seed, 1_000);
                History history = runner.run(plan);
                report(history);
                assertThat(EventText.firstDifference(history, runner.run(plan))).isEmpty();
            }
        }
    }

    private static void report(History history) throws Exception {
        Verdict verdict = HistoryChecker.check(history.recording());
        Report finding = Report.ofKeptPlan(verdict.first(), null, history, verdict, "replay plan.json");
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Timeline.html(finding))));
        assertThat(EventText.of(history).lines().count())
                .isGreaterThan(history.events().size());
    }
}
