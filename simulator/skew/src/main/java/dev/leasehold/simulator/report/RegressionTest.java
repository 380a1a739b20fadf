package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import java.util.ArrayList;
import java.util.List;

/** The text of a JUnit test that plays a plan again, with the mutant that was planted, and expects every promise to be held. */
final class RegressionTest {

    static final String CLASS_NAME = "MinimalPlanTest";

    /** A constant in a class file must have less than 65,536 bytes. */
    private static final int BLOCK_CHARS = 12_000;

    private static final int LINE_CHARS = 1_000;

    private static final String INDENT = "            ";

    private RegressionTest() {}

    static String text(Finding finding) {
        Mutant mutant = finding.mutant();
        return """
                package dev.leasehold.simulator;

                import static org.assertj.core.api.Assertions.assertThat;

                import dev.leasehold.simulator.mutants.EngineRunners;%s
                import dev.leasehold.simulator.check.Judge;
                import dev.leasehold.simulator.plan.HistoryRunner;
                import dev.leasehold.simulator.plan.PlanCodec;
                import org.junit.jupiter.api.Test;

                /**
                 * %s
                 */
                class %s {

                    private static final String PLAN = %s;

                    @Test
                    void allPromisesAreHeld() {
                        try (HistoryRunner runner = EngineRunners.runner(%s)) {
                            assertThat(Judge.judge(runner.run(PlanCodec.fromJson(PLAN))).violations()).isEmpty();
                        }
                    }
                }
                """.formatted(
                        mutant == null ? "" : "\nimport dev.leasehold.simulator.mutants.Mutants;",
                        comment(finding),
                        CLASS_NAME,
                        constant(finding.shownPlanJson()),
                        mutant == null ? "null" : "Mutants.named(\"" + mutant.name() + "\")");
    }

    /** What would end the comment, or be a tag in it, must not stand in it. */
    private static String comment(Finding finding) {
        Violation violation = finding.violation();
        String sentence =
                violation == null ? TitleBlock.title(finding) + "." : violation.promise() + ": " + violation.sentence();
        return sentence.replace("*/", "* /")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("\\", "&#92;")
                .replace('\n', ' ');
    }

    /** An expression for the text, but for spaces at the ends of lines and breaks between the parts of long lines. */
    static String constant(String json) {
        List<String> blocks = blocks(json.strip());
        return blocks.size() == 1 ? blocks.get(0) : "String.join(\"\\n\", " + String.join(", ", blocks) + ")";
    }

    /** One machine with many rates makes a line that is too long for anybody. */
    private static String brokenUp(String json) {
        StringBuilder text = new StringBuilder();
        for (String line : json.split("\n")) {
            text.append(line.length() > LINE_CHARS ? line.replace("}, {", "},\n        {") : line)
                    .append('\n');
        }
        return text.toString();
    }

    private static List<String> blocks(String json) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        for (String line : brokenUp(json).split("\n")) {
            if (block.length() + line.length() > BLOCK_CHARS && block.length() > 0) {
                blocks.add(block(block));
                block.setLength(0);
            }
            block.append(INDENT).append(escaped(line)).append('\n');
        }
        blocks.add(block(block));
        return blocks;
    }

    /** A text block ends without a line break, so that joining gives the lines as they were. */
    private static String block(StringBuilder lines) {
        return "\"\"\"\n" + lines.substring(0, lines.length() - 1) + "\"\"\"";
    }

    private static String escaped(String line) {
        String escaped =
                line.replace("\\", "\\\\").replace("\"\"\"", "\\\"\\\"\\\"").stripTrailing();
        return escaped.endsWith("\"") ? escaped.substring(0, escaped.length() - 1) + "\\\"" : escaped;
    }
}
