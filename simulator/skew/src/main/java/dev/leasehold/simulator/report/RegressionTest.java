package dev.leasehold.simulator.report;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.check.Violation;

/** The text of a JUnit test that plays a plan again, with the bug that was planted, and expects every promise to be held. */
final class RegressionTest {

    static final String CLASS_NAME = "MinimalPlanTest";

    private RegressionTest() {}

    static String text(Finding finding) {
        PlantedBug bug = finding.bug();
        // In a text block JSON needs no escape but for its own.
        String plan = finding.shownPlanJson().strip().replace("\\", "\\\\").indent(12);
        return """
                package dev.leasehold.simulator;

                import static org.assertj.core.api.Assertions.assertThat;

                import dev.leasehold.simulator.bugs.EngineClasses;
                import dev.leasehold.simulator.bugs.PlantedBugs;
                import dev.leasehold.simulator.check.Judge;
                import dev.leasehold.simulator.plan.HistoryRunner;
                import dev.leasehold.simulator.plan.PlanCodec;
                import org.junit.jupiter.api.Test;

                // %s
                class %s {

                    private static final String PLAN = \"""
                %s            \""";

                    @Test
                    void allPromisesAreHeld() {
                        try (HistoryRunner runner = EngineClasses.runner(%s)) {
                            assertThat(Judge.judge(runner.run(PlanCodec.fromJson(PLAN))).violations()).isEmpty();
                        }
                    }
                }
                """.formatted(
                        sentence(finding),
                        CLASS_NAME,
                        plan,
                        bug == null ? "null" : "PlantedBugs.named(\"" + bug.name() + "\")");
    }

    /** For a comment of one line, in which an escape of a character would count. */
    private static String sentence(Finding finding) {
        Violation violation = finding.violation();
        String sentence =
                violation == null ? Timeline.title(finding) : violation.promise() + ": " + violation.sentence();
        return sentence.replaceAll("\\R", " ").replace("\\", "/");
    }
}
