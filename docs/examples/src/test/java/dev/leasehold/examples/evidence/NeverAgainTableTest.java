package dev.leasehold.examples.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of old mistakes names the tests that keep them away: all of those, and no others. */
class NeverAgainTableTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Path PAGE = ROOT.resolve("docs").resolve("how-it-is-tested.md");
    /** Others write and remove files there meanwhile. */
    private static final Set<String> WITHOUT_TESTS = Set.of(".git", "target");

    private static final Path TESTS = Path.of("src", "test", "java");

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
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return WITHOUT_TESTS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isTest(file)) {
                    String name = file.getFileName().toString();
                    tests.addSource(name.substring(0, name.length() - ".java".length()), Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return tests;
    }

    /** Without this very class, whose examples look like tests. */
    private static boolean isTest(Path file) {
        return file.toString().endsWith(".java")
                && file.toString().contains(TESTS.toString())
                && !file.endsWith(NeverAgainTableTest.class.getSimpleName() + ".java");
    }
}
