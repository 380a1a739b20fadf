package dev.leasehold.examples.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every link of a page to a file of the repository, or to a heading, leads there. */
class LinksTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    /** Others write and remove files there meanwhile, or the pages there are not ours. */
    private static final Set<String> SKIPPED = Set.of(".git", "target", "node_modules");

    private final Map<Path, Page> pages = new HashMap<>();

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<Path> files = files();
        assertThat(files).contains(ROOT.resolve("README.md"));

        List<String> broken = new ArrayList<>();
        for (Path file : files) {
            for (String link : page(file).links()) {
                if (!leadsSomewhere(file, link)) {
                    broken.add(ROOT.relativize(file) + ": " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void missingFileAndMissingHeadingAreFound() throws IOException {
        Path readme = ROOT.resolve("README.md");

        assertThat(leadsSomewhere(readme, "docs/decisions/README.md#time")).isTrue();
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

    private static List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                // Templates of pages lead to what lies beside the pages that are made of them.
                String path = ROOT.relativize(file).toString().replace('\\', '/');
                if (path.endsWith(".md") && !path.contains("src/main/")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
