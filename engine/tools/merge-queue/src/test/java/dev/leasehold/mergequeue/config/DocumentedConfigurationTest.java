package dev.leasehold.mergequeue.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation shows is read. */
class DocumentedConfigurationTest {

    private static final Path DOCS = Path.of("..", "..", "..", "docs");
    private static final Pattern ROW = Pattern.compile(
            "^\\| (`(?:authentication|github|hosts|limits|operator|retention|providers)[^|]*) \\|", Pattern.MULTILINE);
    private static final Pattern YAML = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @Test
    void configurationOfTheFirstRunIsRead() throws Exception {
        String yaml = Files.readString(DOCS.resolve("examples").resolve("merge-queue.yaml"));

        assertThat(read(yaml).settings("acme", "shop", "main")).isPresent();
    }

    @Test
    void configurationsOfThePageAreRead() throws Exception {
        List<String> blocks = YAML.matcher(Files.readString(DOCS.resolve("merge-queue.md")))
                .results()
                .map((MatchResult result) -> result.group(1))
                .filter(block -> block.contains("providers:"))
                .toList();

        assertThat(blocks)
                .isNotEmpty()
                .allSatisfy(block -> assertThat(read(block).providers()).isNotEmpty());
    }

    @Test
    void theTableHasEveryKeyAndNoOther() throws Exception {
        String page = Files.readString(DOCS.resolve("merge-queue.md"));
        List<String> documented = new ArrayList<>();
        for (MatchResult row : ROW.matcher(page).results().toList()) {
            String[] keys = row.group(1).replace("`", "").split(", ");
            String section = keys[0].substring(0, keys[0].lastIndexOf('.') + 1);
            for (String key : keys) {
                documented.add(key.startsWith(".") ? section + key.substring(1) : key);
            }
        }

        List<String> known = new ArrayList<>();
        for (String key : keys("unknown: 1", "")) {
            switch (key) {
                case "authentication" -> known.addAll(keys("authentication: [{unknown: 1}]", "authentication[]."));
                case "limits" -> known.addAll(keys(key + ": {unknown: 1}", key + "."));
                case "providers" -> known.addAll(keys("providers: [{unknown: 1}]", "providers[]."));
                default -> known.add(key);
            }
        }
        assertThat(documented).containsExactlyInAnyOrderElementsOf(known);
    }

    /** As the refusal of an unknown key lists them. */
    private static List<String> keys(String yaml, String section) {
        String refusal = catchThrowable(() -> read(yaml)).getMessage();
        return Stream.of(refusal.split("known here: ")[1].split(", "))
                .map(key -> section + key)
                .toList();
    }

    private static Configuration read(String yaml) {
        return new ConfigurationReader(
                        Map.of("MERGE_QUEUE_PASSWORD", "secret", "MERGE_QUEUE_OPERATOR_PASSWORD", "more"))
                .read(yaml);
    }
}
