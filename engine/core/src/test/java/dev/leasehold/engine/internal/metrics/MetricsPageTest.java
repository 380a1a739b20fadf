package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Request;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of metrics is made here, of what an engine registers. Where the page differs, run this test with {@code -Dpages.write=true},
 * which puts it right.
 */
class MetricsPageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "operations", "metrics.md");
    private static final String START = "<!-- generated: metrics -->\n";
    private static final String END = "<!-- end -->\n";

    /** Of these the values are the caller's or those of another table. */
    private static final Set<String> OPEN_TAGS = Set.of("writer");

    /** What is known of a metric by all its meters. */
    private record Metric(Meter.Id id, Map<String, Set<String>> valuesByTag) {

        String row() {
            return "| `%s` | `%s` | %s | %s | %s |"
                    .formatted(id.getName(), nameInPrometheus(), type(), tags(), id.getDescription());
        }

        private String nameInPrometheus() {
            String name = id.getName().replace('.', '_');
            return switch (id.getType()) {
                case COUNTER -> name + "_total";
                case TIMER -> name + "_seconds";
                default -> id.getBaseUnit() == null ? name : name + "_" + id.getBaseUnit();
            };
        }

        private String type() {
            String name = id.getType() == Meter.Type.DISTRIBUTION_SUMMARY
                    ? "summary"
                    : id.getType().name().toLowerCase(Locale.ROOT);
            return id.getType() == Meter.Type.GAUGE && id.getBaseUnit() != null ? name + ", " + id.getBaseUnit() : name;
        }

        private String tags() {
            return valuesByTag.entrySet().stream()
                    .map(tag -> "`" + tag.getKey() + "`"
                            + (OPEN_TAGS.contains(tag.getKey()) ? "" : ": " + String.join(", ", tag.getValue())))
                    .collect(Collectors.joining("; "));
        }
    }

    @Test
    void theTableOfThePageIsThatOfTheMetricsThatThereAre() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END, start);
        assertThat(end).as("the page has a place for the table").isGreaterThan(0);

        if (Boolean.getBoolean("pages.write")) {
            page = page.substring(0, start) + table() + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END, start);
        }

        assertThat(page.substring(start, end)).isEqualTo(table());
    }

    private static String table() {
        List<String> lines = new ArrayList<>(
                List.of("| metric | in Prometheus | type | tags | what it says |", "|---|---|---|---|---|"));
        metrics().values().forEach(metric -> lines.add(metric.row()));
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, Metric> metrics() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        EveryMetric.in(registry);
        Map<String, Metric> metrics = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Metric metric = metrics.computeIfAbsent(
                    meter.getId().getName(), name -> new Metric(meter.getId(), new TreeMap<>()));
            for (Tag tag : meter.getId().getTags()) {
                if (!tag.getKey().equals("lease.namespace")) {
                    metric.valuesByTag()
                            .computeIfAbsent(tag.getKey(), key -> new TreeSet<>())
                            .add(tag.getValue());
                }
            }
        }
        return metrics;
    }

    @Test
    void everyKindOfRequestIsAmongThoseThatAreCounted() {
        assertThat(EveryMetric.requests().map(Object::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(records(Request.class)
                        // What a wait consists of, which is measured as a whole.
                        .filter(type -> !Request.OfQueue.class.isAssignableFrom(type))
                        .collect(Collectors.toList()));
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(MetricsPageTest::records)
                : Stream.of(type);
    }
}
