package dev.leasehold.examples.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every link of a page to a file of the repository, or to a heading, leads there. */
class LinksTest {

    private final Map<Path, Page> pages = new HashMap<>();

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<Path> files = Repository.pages();
        assertThat(files).contains(Repository.ROOT.resolve("README.md"));

        List<String> broken = new ArrayList<>();
        for (Path file : files) {
            for (String link : page(file).links()) {
                if (!leadsSomewhere(file, link)) {
                    broken.add(Repository.pathOf(file) + ": " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void missingFileAndMissingHeadingAreFound() throws IOException {
        Path readme = Repository.ROOT.resolve("README.md");

        assertThat(leadsSomewhere(readme, "docs/decisions/README.md#time-and-expiry"))
                .isTrue();
        assertThat(leadsSomewhere(readme, "docs/decisions/time.md#48")).isTrue();
        assertThat(leadsSomewhere(readme, "docs/decisions/README.md#no-such-heading"))
                .isFalse();
        assertThat(leadsSomewhere(readme, "docs/no-such-page.md")).isFalse();
    }

    @Test
    void headingsMakeAnchorsAndLinksMaySpanLines() {
        Page page = new Page(List.of(
                "# 3 The `clock`, argued",
                "## Same",
                "## Same",
                "See [a",
                "link](other.md#part) and `[no](link.md)`.",
                "```",
                "# no heading, [no](link.md)",
                "```",
                "[![picture](a.png)](b.md)"));

        assertThat(page.links()).contains("other.md#part", "b.md").doesNotContain("link.md");
        assertThat(List.of("3-the-clock-argued", "same", "same-1")).allMatch(page::hasAnchor);
        assertThat(page.hasAnchor("no-heading-nolinkmd")).isFalse();
    }

    private boolean leadsSomewhere(Path from, String link) throws IOException {
        if (link.contains("://") || link.startsWith("mailto:")) {
            return true;
        }
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? from : from.resolveSibling(path).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || !target.toString().endsWith(".md") || page(target).hasAnchor(link.substring(hash + 1));
    }

    private Page page(Path file) throws IOException {
        Page known = pages.get(file);
        if (known == null) {
            known = new Page(Files.readAllLines(file));
            pages.put(file, known);
        }
        return known;
    }
}
