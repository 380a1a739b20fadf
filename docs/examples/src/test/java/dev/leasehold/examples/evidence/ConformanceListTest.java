package dev.leasehold.examples.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of scenarios and the display names of tests agree: no id is missing on either side. */
class ConformanceListTest {

    private static final Path PAGE = Repository.ROOT.resolve("docs").resolve("conformance.md");
    private static final String NOT_COVERED = "*not covered*: ";

    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]{2}-\\d+[a-z]?) \\| (.+) \\|");
    private static final Pattern DISPLAY_NAME = Pattern.compile("@DisplayName\\(\\s*\"([^\"]*)\"");

    @Test
    void everyIdInADisplayNameIsOnThePage() throws IOException {
        Set<String> cited = idsInDisplayNames();
        assertThat(cited).isNotEmpty();
        assertThat(scenarios().stream().map(Scenario::id)).containsAll(cited);
    }

    @Test
    void everyIdOnThePageIsInADisplayNameOrHasAReason() throws IOException {
        Set<String> cited = idsInDisplayNames();
        for (Scenario scenario : scenarios()) {
            assertThat(cited.contains(scenario.id()))
                    .as("%s is covered by a test, or else says %swhy", scenario.id(), NOT_COVERED)
                    .isNotEqualTo(scenario.saysNotCovered());
        }
    }

    @Test
    void noIdStandsTwice() throws IOException {
        assertThat(scenarios().stream().map(Scenario::id)).doesNotHaveDuplicates();
    }

    @Test
    void rowMaySayThatItIsNotCovered() {
        assertThat(scenarios(List.of(
                        "| id | scenario |",
                        "|---|---|",
                        "| OP-4 | A claim never extends. |",
                        "| PM-8b | A repeated release. *not covered*: the server has no such command. |",
                        "| PM-9 | A newcomer. *not covered*: |")))
                .extracting(Scenario::id, Scenario::saysNotCovered)
                .containsExactly(tuple("OP-4", false), tuple("PM-8b", true), tuple("PM-9", false));
    }

    private static List<Scenario> scenarios() throws IOException {
        return scenarios(Files.readAllLines(PAGE));
    }

    private static List<Scenario> scenarios(List<String> lines) {
        List<Scenario> scenarios = new ArrayList<>();
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                scenarios.add(new Scenario(row.group(1), row.group(2)));
            }
        }
        return scenarios;
    }

    /** Those of the kinds that the page has: other numbers in display names belong to other lists. */
    private static Set<String> idsInDisplayNames() throws IOException {
        Set<String> kinds = new TreeSet<>();
        scenarios().forEach(scenario -> kinds.add(scenario.id().substring(0, 2)));
        Pattern id = Pattern.compile("\\b(?:" + String.join("|", kinds) + ")-\\d+[a-z]?\\b");
        Set<String> ids = new TreeSet<>();
        for (Path source : Repository.testSources()) {
            Matcher name = DISPLAY_NAME.matcher(Files.readString(source));
            while (name.find()) {
                id.matcher(name.group(1)).results().forEach(found -> ids.add(found.group()));
            }
        }
        return ids;
    }

    /** One row of the page. */
    private record Scenario(String id, String text) {

        boolean saysNotCovered() {
            return text.contains(NOT_COVERED) && !text.endsWith(NOT_COVERED.strip());
        }
    }
}
