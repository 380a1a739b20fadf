package dev.leasehold.simulator.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.plan.HistoryRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What was wrong with this engine once is not wrong again. Each such bug is kept as a smallest plan, and as a line of the page beside the
 * plans that says what was wrong.
 */
class PastBugsTest {

    private static final Pattern ROW =
            Pattern.compile("\\| \\[([a-z0-9-]+)]\\(([a-z0-9-]+)\\.json\\) \\| (.+) \\| (.+) \\|");

    static List<String> plans() {
        return SavedPlans.PAST.names();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void thePlanOfAMendedBugBreaksNoInvariant(String name) {
        try (HistoryRunner engine = Mutants.runner(null)) {
            assertThat(HistoryChecker.check(
                                    engine.run(SavedPlans.PAST.plan(name)).recording())
                            .violations())
                    .isEmpty();
        }
    }

    @Test
    void thePageHasALineAboutEachAndAboutNothingElse() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(SavedPlans.PAST.folder().resolve("README.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(row.group(2)).isEqualTo(row.group(1));
                rows.add(row.group(1));
            }
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(plans());
    }
}
