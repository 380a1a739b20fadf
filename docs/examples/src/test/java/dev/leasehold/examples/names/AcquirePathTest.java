package dev.leasehold.examples.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The classes that the page of the architecture names for one acquisition. */
class AcquirePathTest {

    private static final Pattern SECTION =
            Pattern.compile("### The classes on the way\\n(.*?)\\nThe first acquisition", Pattern.DOTALL);
    private static final Pattern COUNT = Pattern.compile("open these (\\d+) classes");
    private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w*)\\.([a-z]\\w*)`");

    @Test
    @DisplayName("The classes that are named for an acquisition have these methods, and are as many as the page says")
    void namedClassesHaveTheirMethods() throws IOException {
        String page = Files.readString(Repository.ROOT.resolve("docs").resolve("architecture.md"));
        String section = only(SECTION, page);
        Map<String, String> sources = sources();
        List<MatchResult> named = METHOD.matcher(section).results().toList();

        List<String> missing = named.stream()
                .filter(span -> !sources.getOrDefault(span.group(1), "").contains(" " + span.group(2) + "("))
                .map(MatchResult::group)
                .toList();

        assertThat(missing).isEmpty();
        assertThat(named.stream().map(span -> span.group(1)).distinct())
                .hasSize(Integer.parseInt(only(COUNT, section)));
    }

    private static String only(Pattern pattern, String text) {
        List<String> found =
                pattern.matcher(text).results().map(match -> match.group(1)).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Repository.files()) {
            String path = Repository.pathOf(file);
            if (path.startsWith("engine/core/src/main/java/") && path.endsWith(".java")) {
                sources.put(Repository.className(file), Files.readString(file));
            }
        }
        return sources;
    }
}
