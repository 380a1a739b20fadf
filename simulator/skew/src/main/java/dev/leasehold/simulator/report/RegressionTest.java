package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.PlanCodec;

/** The text of a JUnit test that plays a plan again, with the mutant that was planted, and expects every invariant to be kept. */
final class RegressionTest {

    static final String CLASS_NAME = "MinimalPlanTest";

    private RegressionTest() {}

    static String text(Report report) {
        Mutant mutant = report.mutant();
        // In a text block JSON needs no escape but for its own.
        String plan =
                PlanCodec.toJson(report.history().plan()).replace("\\", "\\\\").indent(12);
        return """
                package dev.leasehold.simulator;

                import static org.assertj.core.api.Assertions.assertThat;

                import dev.leasehold.simulator.checker.HistoryChecker;
                import dev.leasehold.simulator.mutants.Mutants;
                import dev.leasehold.simulator.plan.HistoryRunner;
                import dev.leasehold.simulator.plan.PlanCodec;
                import org.junit.jupiter.api.Test;

                // %s
                class %s {

                    private static final String PLAN = \"""
                %s            \""";

                    @Test
                    void everyInvariantIsKept() {
                        try (HistoryRunner runner = Mutants.runner(%s)) {
                            assertThat(HistoryChecker.check(runner.run(PlanCodec.fromJson(PLAN)).recording()).violations()).isEmpty();
                        }
                    }
                }
                """.formatted(
                        sentence(report),
                        CLASS_NAME,
                        plan,
                        mutant == null ? "null" : "Mutants.named(\"" + mutant.name() + "\")");
    }

    /** For a comment of one line, in which an escape of a character would count. */
    private static String sentence(Report report) {
        Violation violation = report.violation();
        String sentence = violation == null ? report.title() : violation.guarantee() + ": " + violation.sentence();
        return sentence.replaceAll("\\R", " ").replace("\\", "/");
    }
}
