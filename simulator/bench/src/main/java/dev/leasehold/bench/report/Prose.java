package dev.leasehold.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The written parts of the page. What is measured is put in where a name stands in double braces. */
final class Prose {

    private Prose() {}

    /**
     * Reads a part.
     *
     * @param file below this package
     * @param values by the names in braces
     * @throws IllegalStateException if there is no such part, or a name in braces has no value
     */
    static String read(String file, Map<String, String> values) {
        String text = read(file);
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        if (text.contains("{{")) {
            throw new IllegalStateException(
                    "'" + file + "' asks for a value that there is none of: " + text.substring(text.indexOf("{{")));
        }
        return text;
    }

    private static String read(String file) {
        try (InputStream in = Prose.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no part '" + file + "' of the page");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
