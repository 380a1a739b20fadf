package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.plan.Components;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of plans and histories: events, operations, answers, commands, settings. The kind comes first, then the components with
 * their names and units. What is absent, false or nothing of its unit is left out.
 */
final class RecordText {

    /** They have columns of their own. */
    private static final Set<String> IN_COLUMNS = Set.of("atNanos", "machine");

    private static final List<String> UNITS = List.of("Nanos", "Ppm");
    /** Names of records and components, which are few, as words. */
    private static final Map<String, String> WORDS = new ConcurrentHashMap<>();

    private RecordText() {}

    static String of(Record record) {
        String kind = words(record.getClass().getSimpleName());
        String text = components(record, IN_COLUMNS);
        return text.isEmpty() ? kind : kind + ": " + text;
    }

    /** Without the kind. */
    static String components(Record record) {
        return components(record, Set.of());
    }

    private static String components(Record record, Set<String> leftOut) {
        if (record instanceof HeldTenure tenure) {
            return tenure(tenure);
        }
        if (record instanceof Change.OfClock change) {
            return clock(change);
        }
        List<String> parts = new ArrayList<>();
        for (RecordComponent component : Components.of(record)) {
            Object value = Components.get(record, component);
            String text = leftOut.contains(component.getName()) ? "" : named(component.getName(), value);
            if (!text.isEmpty()) {
                parts.add(text);
            }
        }
        return String.join(", ", parts);
    }

    /** Numbers and times have names; texts and enum constants name themselves. */
    private static String named(String name, @Nullable Object value) {
        boolean isNothing = value instanceof Number number
                && number.longValue() == 0
                && UNITS.stream().anyMatch(name::endsWith);
        if (value == null || value.equals(false) || isNothing) {
            return "";
        }
        String text = component(name, value);
        return value instanceof Number ? words(name) + ' ' + text : value instanceof Boolean ? words(name) : text;
    }

    /** The value of a component, with its unit. */
    static String component(String name, Object value) {
        if (value instanceof Number number) {
            return name.endsWith("Nanos")
                    ? TimeText.exact(number.longValue())
                    : name.endsWith("Ppm") ? number + " ppm" : number.toString();
        }
        return value instanceof Boolean flag ? (flag ? "yes" : "no") : value(value);
    }

    private static String value(Object value) {
        if (value instanceof Record record) {
            return '(' + components(record) + ')';
        }
        if (value instanceof Collection<?> values) {
            Stream<String> texts = values.stream().map(RecordText::value);
            return (value instanceof Set ? texts.sorted() : texts).collect(Collectors.joining("; "));
        }
        return value instanceof Enum<?> constant ? words(constant) : value.toString();
    }

    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@code operationNanos} is "operation". */
    static String words(String name) {
        return WORDS.computeIfAbsent(
                name,
                it -> it.replaceFirst("(" + String.join("|", UNITS) + ")$", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT));
    }

    static String tenure(HeldTenure tenure) {
        return tenure.lease() + ' ' + tenure.holder() + " #" + tenure.token();
    }

    /** Only the entries that are different. */
    private static String clock(Change.OfClock change) {
        Map<String, String> entries = new TreeMap<>();
        change.before().writers().keySet().forEach(writer -> entries.put(writer, "removed"));
        change.after().writers().forEach((writer, row) -> {
            if (row.equals(change.before().writers().get(writer))) {
                entries.remove(writer);
            } else {
                entries.put(writer, components(row));
            }
        });
        StringBuilder text = new StringBuilder("clock " + change.partition() + ", ticks "
                + change.after().ticks() + ", token floor " + change.after().tokenFloor());
        entries.forEach((writer, entry) -> text.append("; " + writer + ' ' + entry));
        return text.toString();
    }
}
