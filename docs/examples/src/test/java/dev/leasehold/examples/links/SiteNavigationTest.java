package dev.leasehold.examples.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The navigation of the site leads to pages, and from it each page is reached. The site itself is built by a profile of its own. */
class SiteNavigationTest {

    private static final Pattern ENTRY = Pattern.compile("\\s+- (?:[^:]+: )?(\\S+\\.md)");

    @Test
    void everyEntryIsAPageAndStandsThereOnce() throws IOException {
        assertThat(entries())
                .contains("README.md", "docs/index.md")
                .doesNotHaveDuplicates()
                .isSubsetOf(Repository.pages().stream().map(Repository::pathOf).toList());
    }

    @Test
    void everyPageIsReachedFromTheNavigation() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> left = new ArrayDeque<>();
        entries().forEach(entry -> left.add(Repository.ROOT.resolve(entry)));
        while (!left.isEmpty()) {
            Path page = left.remove();
            if (reached.add(page)) {
                for (String link : new Page(Files.readAllLines(page)).links()) {
                    Path linked =
                            page.resolveSibling(link.replaceAll("#.*", "")).normalize();
                    if (linked.toString().endsWith(".md") && Files.isRegularFile(linked)) {
                        left.add(linked);
                    }
                }
            }
        }

        List<Path> pagesOfTheSite = Repository.pages().stream()
                .filter(page -> Repository.pathOf(page).matches("[^/]+|docs/(?!.*src/).+"))
                .toList();
        assertThat(pagesOfTheSite).isNotEmpty();
        assertThat(reached).containsAll(pagesOfTheSite);
    }

    @Test
    void entriesHaveATitleOrNot() {
        assertThat(entries(List.of(
                        "site_name: other.md",
                        "nav:",
                        "  - Home: README.md",
                        "  - Guide:",
                        "      - docs/guide/one.md",
                        "      - Two words: docs/two.md")))
                .containsExactly("README.md", "docs/guide/one.md", "docs/two.md");
    }

    private static List<String> entries() throws IOException {
        return entries(Files.readAllLines(Repository.ROOT.resolve("docs").resolve("mkdocs.yml")));
    }

    private static List<String> entries(List<String> lines) {
        List<String> entries = new ArrayList<>();
        for (String line : lines.subList(lines.indexOf("nav:") + 1, lines.size())) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                entries.add(entry.group(1));
            }
        }
        return entries;
    }
}
