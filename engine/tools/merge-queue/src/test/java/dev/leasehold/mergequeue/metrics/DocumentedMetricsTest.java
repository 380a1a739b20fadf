package dev.leasehold.mergequeue.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.queue.EndStatus;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedWait;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page names the metrics and outcomes that a scrape has, and no others. */
class DocumentedMetricsTest {

    private static final Path PAGE = Path.of("..", "..", "..", "docs", "merge-queue.md");
    private static final Pattern SENTENCE = Pattern.compile("(?s)Metrics by provider: (.*?)\\.\n");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+?)(?:_bucket|_count|_sum|_max)?\\{");
    private static final String PREFIX = "leasehold_merge_queue";

    private final ServiceMetrics metrics = new ServiceMetrics(
            new ConfigurationReader(Map.of()).read("providers: [{owner: acme, repo: shop, base-ref: main}]"));

    @Test
    void thePageNamesWhatIsScraped() throws IOException {
        List<EndStatus> outcomes =
                Arrays.stream(EndStatus.values()).filter(EndStatus::held).toList();
        for (EndStatus outcome : outcomes) {
            metrics.committed("acme/shop/main", List.of(ended(outcome)), waits(), 1);
            metrics.serves("acme/shop/main", QueueState.EMPTY);
        }
        metrics.answered("GET", "/", 200, "none", Duration.ofMillis(1));

        Set<String> scraped = SAMPLE.matcher(metrics.scrape().replaceAll("(?m)^(\\w+) ", "$1{} "))
                .results()
                .map(sample -> sample.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        outcomes.forEach(outcome -> scraped.add(outcome.name().toLowerCase(Locale.ROOT)));
        waits().forEach(wait -> scraped.add(wait.outcome().name().toLowerCase(Locale.ROOT)));

        assertThat(named()).isEqualTo(scraped);
        assertThat(metrics.scrape().lines().filter(line -> line.startsWith(PREFIX)))
                .as("metrics by provider")
                .allMatch(line -> line.contains("provider=\"acme/shop/main\""));
    }

    private static List<EndedWait> waits() {
        return Arrays.stream(EndedWait.Outcome.values())
                .map(outcome -> new EndedWait(outcome, 1))
                .toList();
    }

    private static EndedHold ended(EndStatus outcome) {
        return new EndedHold(
                1, 1, RequestId.of("4f2a"), Payload.of("queue/pr-1", OptionalLong.empty()), 1, outcome, 1, 1, 1, 1);
    }

    private static Set<String> named() throws IOException {
        MatchResult sentence =
                SENTENCE.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
        return SPAN.matcher(sentence.group(1))
                .results()
                .map(span -> span.group(1))
                .map(name -> name.startsWith("_") ? PREFIX + name : name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
