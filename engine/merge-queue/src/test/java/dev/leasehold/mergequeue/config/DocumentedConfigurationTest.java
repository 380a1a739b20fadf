package dev.leasehold.mergequeue.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documentation shows is read. */
class DocumentedConfigurationTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
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

    private static Configuration read(String yaml) {
        return new ConfigurationReader(Map.of("MERGE_QUEUE_PASSWORD", "secret")).read(yaml);
    }
}
