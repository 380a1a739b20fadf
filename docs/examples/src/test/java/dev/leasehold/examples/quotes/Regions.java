package dev.leasehold.examples.quotes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parts of the sources that pages may quote, each under {@code Class#name}. */
final class Regions {

    private static final Pattern EDGE = Pattern.compile("\\s*// example:(start|end) ([a-z-]+)");

    private final Map<String, List<String>> linesByName = new HashMap<>();

    /** The lines of a region, without their common indentation; null when there is no such region. */
    @Nullable List<String> get(String name) {
        return linesByName.get(name);
    }

    /** The names of all of them. */
    Set<String> names() {
        return new TreeSet<>(linesByName.keySet());
    }

    /**
     * Adds the regions of one source.
     *
     * @throws IllegalStateException if its edges do not pair up
     */
    void add(String className, List<String> source) {
        String open = null;
        List<String> body = new ArrayList<>();
        for (String line : source) {
            Matcher edge = EDGE.matcher(line);
            if (!edge.matches()) {
                body.add(line);
            } else if (edge.group(1).equals("start")) {
                require(open == null, className, "starts '" + edge.group(2) + "' within '" + open + "'");
                open = edge.group(2);
                body.clear();
            } else {
                require(edge.group(2).equals(open), className, "ends '" + edge.group(2) + "' within '" + open + "'");
                put(className + "#" + open, body);
                open = null;
            }
        }
        require(open == null, className, "does not end '" + open + "'");
    }

    private void put(String name, List<String> body) {
        require(linesByName.put(name, Indentation.strip(body)) == null, name, "is there twice");
    }

    private static void require(boolean condition, String where, String what) {
        if (!condition) {
            throw new IllegalStateException(where + " " + what);
        }
    }
}
