package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The names of the page for operators and of its file of rules are those of a real scrape. */
class PrometheusNamesTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern ROW =
            Pattern.compile("^\\| `(leasehold\\.[a-z.]+)` \\| `(leasehold_[a-z_]+)` \\| ([a-z]+)", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("leasehold_[a-z_]+");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=~?\"([a-z|-]+)\"");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @BeforeEach
    void useEveryMeter() {
        MicrometerMetrics meters = new MicrometerMetrics(registry, "billing", false);
        for (OperationOutcome operationOutcome : OperationOutcome.values()) {
            meters.record(new OperationEnded("extend", "nightly", operationOutcome, LeaseStatus.ACTIVE, 1));
        }
        WriterEntry other = new WriterEntry.Sound("b#1", 17, null, null, null);
        meters.record(new WritersRead("billing", "a#1", List.of(other), 20));
        meters.record(new ClockSurveyed("billing", new ClockSurvey(100, List.of(other))));
        meters.registerGauges(() -> 1, () -> 2);
        meters.record(new TransactionTried(Verdict.APPLIED, 1));
        meters.record(new TenureLost(LeaseLoss.Reason.EXPIRED));
    }

    @Test
    void theTableOfThePageNamesWhatIsScrapedAndNothingElse() throws IOException {
        Set<String> documented = new TreeSet<>();
        ROW.matcher(page()).results().forEach(row -> documented.addAll(samples(row.group(2), row.group(3))));

        assertThat(documented).isNotEmpty().isEqualTo(scraped());
    }

    @Test
    void theRulesAskForWhatIsScraped() throws IOException {
        String scrape = registry.scrape();

        assertThat(expressions()).isNotEmpty().allSatisfy(expression -> {
            assertThat(found(NAME, expression).map(MatchResult::group))
                    .isNotEmpty()
                    .allMatch(scraped()::contains);
            found(LABEL, expression)
                    .forEach(label -> assertThat(label.group(2).split("\\|"))
                            .allSatisfy(value -> assertThat(scrape).contains(label.group(1) + "=\"" + value + "\"")));
        });
    }

    private static Set<String> samples(String name, String type) {
        return type.equals("timer") || type.equals("summary")
                ? Set.of(name + "_count", name + "_sum", name + "_max")
                : Set.of(name);
    }

    private Set<String> scraped() {
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('{')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> expressions() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file =
                new Yaml().load(Files.readString(DOCS.resolve("operations").resolve("alerts.yaml")));
        Set<String> expressions = new HashSet<>();
        file.get("groups")
                .forEach(group -> group.get("rules").forEach(rule -> expressions.add((String) rule.get("expr"))));
        return expressions;
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static String page() throws IOException {
        return Files.readString(DOCS.resolve("operations.md"));
    }
}
