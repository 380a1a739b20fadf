package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=~?\"([a-z|-]+)\"");

    private static final Pattern RANGE = Pattern.compile("\\[(\\w+)]");

    /** Names of labels, in all places where a rule or the dashboard has them. */
    private static final List<Pattern> LABELS = List.of(
            Pattern.compile("\\b(?:by|on|without) ?\\(([a-z_, ]+)\\)"),
            Pattern.compile("\\b([a-z_]+)[!=]=?~?\""),
            Pattern.compile("\\$labels\\.([a-z_]+)"),
            Pattern.compile("label_values\\([a-z_]+, ([a-z_]+)\\)"),
            Pattern.compile("\\{\\{([a-z_]+)}}"));

    /** Prometheus sets these on what it scrapes, many of them in Kubernetes, and renames ours that are called the same. */
    private static final Set<String> LABELS_OF_TARGETS =
            Set.of("job", "instance", "namespace", "pod", "container", "service", "endpoint", "node", "cluster", "app");

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
        areScraped(rules("leasehold").stream()
                .map(rule -> (String) rule.get("expr"))
                .toList());
    }

    /** An increase needs two samples, and Prometheus takes one a minute unless it is told otherwise. */
    @Test
    void theRulesSeeTwoSamplesAndAFailingHeartbeatBeforeTheSessionIsOver() throws IOException {
        for (Map<String, Object> rule : rules("leasehold")) {
            List<Long> ranges = found(RANGE, rule.get("expr").toString())
                    .map(range -> seconds(range.group(1)))
                    .toList();
            if (rule.get("alert").equals("LeaseholdHeartbeatsFail")) {
                assertThat(ranges)
                        .singleElement()
                        .satisfies(range -> assertThat(range
                                        + seconds(rule.getOrDefault("for", "0s").toString()))
                                .isLessThan(30));
            } else {
                assertThat(ranges).as("%s", rule).allMatch(range -> range >= 120);
            }
        }
    }

    private static long seconds(String duration) {
        return Duration.parse("PT" + duration).toSeconds();
    }

    @Test
    void theTableOfAlarmsHasTheRules() throws IOException {
        List<String> rows =
                ALARM.matcher(page()).results().map(row -> row.group(1)).toList();

        assertThat(rows)
                .isNotEmpty()
                .containsExactlyElementsOf(rules("leasehold.*").stream()
                        .map(rule -> (String) rule.get("alert"))
                        .toList());
    }

    @Test
    void theRuleOfTheStarterIsThatOfItsPage() throws IOException {
        String page = Files.readString(OPERATIONS.resolve("..").resolve("spring.md"));

        assertThat(rules("leasehold-spring"))
                .singleElement()
                .satisfies(rule -> assertThat(page.replaceAll("\\s+", " "))
                        .contains("alert: " + rule.get("alert"))
                        .contains(rule.get("expr")
                                .toString()
                                .replaceAll("\\s+", " ")
                                .strip()));
    }

    @Test
    void theDashboardShowsWhatIsScraped() throws IOException {
        List<String> expressions = new ArrayList<>();
        collect("expr", new Yaml().load(Files.readString(OPERATIONS.resolve("dashboard.json"))), expressions);

        areScraped(expressions);
    }

    @Test
    void rulesAndDashboardUseLabelsThatAreScraped() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Map<String, Object> rule : rules("leasehold")) {
            texts.add((String) rule.get("expr"));
            collect("summary", rule, texts);
        }
        Object dashboard = new Yaml().load(Files.readString(OPERATIONS.resolve("dashboard.json")));
        List.of("expr", "query", "legendFormat").forEach(key -> collect(key, dashboard, texts));

        Set<String> used = texts.stream()
                .flatMap(text -> LABELS.stream().flatMap(pattern -> found(pattern, text)))
                .flatMap(labels -> Stream.of(labels.group(1).split(", *")))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(used).contains("lease_namespace", "outcome", "writer").isSubsetOf(labels());
    }

    @Test
    void noLabelIsCalledAsOneThatPrometheusSetsOnATarget() {
        assertThat(labels()).contains("lease_namespace").doesNotContainAnyElementsOf(LABELS_OF_TARGETS);
    }

    private Set<String> labels() {
        return registry.getMeters().stream()
                .flatMap(meter ->
                        meter.getId().getConventionTags(registry.config().namingConvention()).stream())
                .map(Tag::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
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

    /** Of the groups whose names fit. */
    private static List<Map<String, Object>> rules(String groups) throws IOException {
        Map<String, List<Map<String, Object>>> file =
                new Yaml().load(Files.readString(OPERATIONS.resolve("alerts.yaml")));
        List<Object> found = new ArrayList<>();
        file.get("groups").stream()
                .filter(group -> group.get("name").toString().matches(groups))
                .forEach(group -> found.addAll((List<?>) Objects.requireNonNull(group.get("rules"))));
        return found.stream().map(rule -> rule(rule)).toList();
    }

    private static Map<String, Object> rule(Object yaml) {
        Map<String, Object> rule = new LinkedHashMap<>();
        ((Map<?, ?>) yaml).forEach((key, value) -> rule.put((String) key, value));
        return rule;
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static String page() throws IOException {
        return Files.readString(OPERATIONS.resolve("metrics.md"));
    }
}
