package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** The names in the table of metrics, in the rules for alarms and in the dashboard are those of a real scrape. */
class PrometheusNamesTest {

    private static final Path OPERATIONS = Path.of("..", "..", "docs", "operations");
    private static final Pattern ROW =
            Pattern.compile("^\\| `(leasehold\\.[a-z.]+)` \\| `(leasehold_[a-z_]+)` \\| ([a-z]+)", Pattern.MULTILINE);
    private static final Pattern ALARM = Pattern.compile("^\\| `(Leasehold[A-Za-z]+)` \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("leasehold_[a-z_]+");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=~?\"([a-z|-]+)\"");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @BeforeEach
    void useEveryMetric() {
        EveryMetric.in(registry);
    }

    @Test
    void theTableOfThePageNamesWhatIsScrapedAndNothingElse() throws IOException {
        Set<String> documented = new TreeSet<>();
        ROW.matcher(page()).results().forEach(row -> documented.addAll(samples(row.group(2), row.group(3))));

        assertThat(documented).isNotEmpty().isEqualTo(scraped());
    }

    @Test
    void theRulesAskForWhatIsScraped() throws IOException {
        areScraped(rules().stream().map(rule -> (String) rule.get("expr")).toList());
    }

    @Test
    void theTableOfAlarmsHasTheRules() throws IOException {
        List<String> rows =
                ALARM.matcher(page()).results().map(row -> row.group(1)).toList();

        assertThat(rows)
                .isNotEmpty()
                .containsExactlyElementsOf(
                        rules().stream().map(rule -> (String) rule.get("alert")).toList());
    }

    @Test
    void theDashboardShowsWhatIsScraped() throws IOException {
        List<String> expressions = new ArrayList<>();
        collect("expr", new Yaml().load(Files.readString(OPERATIONS.resolve("dashboard.json"))), expressions);

        areScraped(expressions);
    }

    /** JSON is YAML. */
    private static void collect(String key, Object node, List<String> found) {
        if (node instanceof Map<?, ?> map) {
            if (map.get(key) instanceof String value) {
                found.add(value);
            }
            map.values().forEach(each -> collect(key, each, found));
        } else if (node instanceof List<?> list) {
            list.forEach(each -> collect(key, each, found));
        }
    }

    private void areScraped(List<String> expressions) {
        String scrape = registry.scrape();

        assertThat(expressions).isNotEmpty().allSatisfy(expression -> {
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

    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file =
                new Yaml().load(Files.readString(OPERATIONS.resolve("alerts.yaml")));
        return file.get("groups").stream()
                .flatMap(group -> group.get("rules").stream())
                .toList();
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static String page() throws IOException {
        return Files.readString(OPERATIONS.resolve("metrics.md"));
    }
}
