package dev.leasehold.mergequeue.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys of one level of the file, with their lines. */
final class Section {

    private final int line;
    private final Environment environment;
    private final Map<String, Node> values = new LinkedHashMap<>();

    private Section(int line, Environment environment) {
        this.line = line;
        this.environment = environment;
    }

    static Section of(Node node, Environment environment, String... keys) {
        if (!(node instanceof MappingNode mapping)) {
            throw ConfigurationException.at(lineOf(node), "keys are expected here: " + list(keys));
        }
        Section section = new Section(lineOf(node), environment);
        mapping.getValue().forEach(tuple -> section.add(tuple, keys));
        return section;
    }

    private void add(NodeTuple tuple, String[] keys) {
        int at = lineOf(tuple.getKeyNode());
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (!Set.of(keys).contains(key)) {
            throw ConfigurationException.at(at, "unknown key '" + key + "'; known here: " + list(keys));
        }
        if (values.put(key, tuple.getValueNode()) != null) {
            throw ConfigurationException.at(at, "key '" + key + "' stands here a second time");
        }
    }

    private static String list(String[] keys) {
        return Arrays.stream(keys).sorted().collect(Collectors.joining(", "));
    }

    static int lineOf(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }

    int line() {
        return line;
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** One of several words. */
    <T> T choice(String key, T otherwise, T[] values, Function<T, String> spelling) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        return Arrays.stream(values)
                .filter(value -> spelling.apply(value).equals(text.get()))
                .findFirst()
                .orElseThrow(() -> refused(
                        key, text.get(), Arrays.stream(values).map(spelling).collect(Collectors.joining(" or "))));
    }

    Optional<Section> section(String key, String... keys) {
        return Optional.ofNullable(values.get(key)).map(node -> of(node, environment, keys));
    }

    List<Section> sections(String key, String... keys) {
        Node node = values.get(key);
        if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
            throw ConfigurationException.at(
                    node == null ? line : lineOf(node), "'" + key + "' must be a list with at least one entry");
        }
        List<Section> sections = new ArrayList<>();
        sequence.getValue().forEach(entry -> sections.add(of(entry, environment, keys)));
        return sections;
    }

    /** A list of single values; empty if there is none. */
    List<String> texts(String key, Predicate<String> fits, String rule) {
        Node node = values.get(key);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw ConfigurationException.at(lineOf(node), "'" + key + "' must be a list");
        }
        List<String> texts = new ArrayList<>();
        for (Node entry : sequence.getValue()) {
            String text = entry instanceof ScalarNode scalar ? text(key, scalar) : "";
            if (!fits.test(text)) {
                throw ConfigurationException.at(
                        lineOf(entry), "'" + key + "' has '" + text + "', each must be " + rule);
            }
            texts.add(text);
        }
        return texts;
    }

    Optional<String> text(String key) {
        Node node = values.get(key);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof ScalarNode scalar)) {
            throw ConfigurationException.at(lineOf(node), "'" + key + "' must be a single value");
        }
        return Optional.of(text(key, scalar));
    }

    /** What YAML takes for nothing, such as {@code ~} and {@code null}, is no word: as a password it would be easy to guess. */
    private String text(String key, ScalarNode scalar) {
        if (scalar.getTag().equals(Tag.NULL)) {
            throw ConfigurationException.at(lineOf(scalar), "'" + key + "' has no value");
        }
        return environment.substituted(scalar.getValue(), lineOf(scalar));
    }

    String required(String key, Predicate<String> fits, String rule) {
        String text = text(key).orElseThrow(() -> ConfigurationException.at(line, "'" + key + "' is missing: " + rule));
        if (!fits.test(text)) {
            throw refused(key, text, rule);
        }
        return text;
    }

    int number(String key, int otherwise, int least, int greatest) {
        String rule = "a number from " + least + " to " + greatest;
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.get().matches("\\d{1,9}")) {
            throw refused(key, text.get(), rule);
        }
        int number = Integer.parseInt(text.get());
        if (number < least || number > greatest) {
            throw refused(key, text.get(), rule);
        }
        return number;
    }

    /** Nanoseconds; what is given for {@code none} may be written as that word. */
    long nanos(String key, long otherwiseNanos, boolean mayBeZero, @Nullable Long noneNanos) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return otherwiseNanos;
        }
        if (noneNanos != null && text.get().equals("none")) {
            return noneNanos;
        }
        String rule =
                DurationText.RULE + (mayBeZero ? "" : ", more than zero") + (noneNanos == null ? "" : "; or none");
        Duration duration = DurationText.parse(text.get()).orElseThrow(() -> refused(key, text.get(), rule));
        if (duration.isZero() && !mayBeZero) {
            throw refused(key, text.get(), rule);
        }
        return duration.toNanos();
    }

    ConfigurationException refused(String key, String found, String rule) {
        Node node = values.get(key);
        return ConfigurationException.at(
                node == null ? line : lineOf(node), "'" + key + "' is '" + found + "', it must be " + rule);
    }
}
