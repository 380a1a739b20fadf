package dev.leasehold.examples.evidence;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tests by the number of the old mistake that they keep away. */
final class NumberedTests {

    private static final Pattern IN_SOURCE = Pattern.compile(
            "@DisplayName\\(\\s*\"Never again (\\d+)\\b[^\"]*\"\\)\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*void (\\w+)\\(");
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\|.*");
    private static final Pattern IN_ROW = Pattern.compile("`(\\w+#\\w+)`");

    private final Map<Integer, Set<String>> testsByNumber = new TreeMap<>();

    /** Each as {@code Class#method}. */
    Map<Integer, Set<String>> byNumber() {
        return testsByNumber;
    }

    /** Adds the tests of one source whose display name begins with a number. */
    void addSource(String className, String source) {
        Matcher test = IN_SOURCE.matcher(source);
        while (test.find()) {
            add(test.group(1), className + "#" + test.group(2));
        }
    }

    /** Adds what the rows of a table name, where the rows begin with a number. */
    void addPage(List<String> lines) {
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            Matcher test = IN_ROW.matcher(line);
            while (row.matches() && test.find()) {
                add(row.group(1), test.group(1));
            }
        }
    }

    private void add(String number, String test) {
        testsByNumber
                .computeIfAbsent(Integer.valueOf(number), unused -> new TreeSet<>())
                .add(test);
    }
}
