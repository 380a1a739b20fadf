package dev.leasehold.examples.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of old mistakes names the tests that keep them away: all of those, and no others. */
class NeverAgainTableTest {

    private static final Path PAGE = Repository.ROOT.resolve("docs").resolve("how-it-is-tested.md");

    @Test
    void everyRowNamesExactlyTheTestsThatCarryItsNumber() throws IOException {
        assertThat(table().byNumber()).isEqualTo(tests().byNumber());
    }

    @Test
    void noRowIsWithoutATest() throws IOException {
        assertThat(table().byNumber().keySet()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void numberIsFoundAboveAnyKindOfTest() {
        NumberedTests found = new NumberedTests();

        found.addSource("SomeTest", """
                @Test
                @DisplayName("Never again 3: a plain one")
                void plain() {
                @ParameterizedTest(name = "{0} ppm")
                @DisplayName("Never again 12, XY-1: one with rows")
                @CsvSource({"0", "1000"})
                void withRows(long ppm) {
                @Test
                @DisplayName("XY-2: one of another kind, never again 3")
                void other() {
                """);

        assertThat(found.byNumber()).hasToString("{3=[SomeTest#plain], 12=[SomeTest#withRows]}");
    }

    @Test
    void rowMayNameSeveralTests() {
        NumberedTests found = new NumberedTests();

        found.addPage(List.of(
                "| # | mistake | tests |",
                "|---|---|---|",
                "| 3 | the `thing` | `OneTest#first`, `OtherTest#second` |",
                "not `OneTest#third`"));

        assertThat(found.byNumber()).hasToString("{3=[OneTest#first, OtherTest#second]}");
    }

    private static NumberedTests table() throws IOException {
        NumberedTests table = new NumberedTests();
        table.addPage(Files.readAllLines(PAGE));
        return table;
    }

    private static NumberedTests tests() throws IOException {
        NumberedTests tests = new NumberedTests();
        for (Path source : Repository.testSources()) {
            // Without this very class, whose examples look like tests.
            if (!Repository.className(source).equals(NeverAgainTableTest.class.getSimpleName())) {
                tests.addSource(Repository.className(source), Files.readString(source));
            }
        }
        return tests;
    }
}
