package dev.leasehold.examples.quotes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Markdown page whose Java code is quoted from sources. The fence of each quote stands right below a comment that names
 * the region, or several of them, which then follow each other with a blank line in between.
 */
final class QuotingPage {

    private static final String MARKER_START = "<!-- example:";
    private static final Pattern MARKER = Pattern.compile("<!-- example: (\\w+#[a-z-]+(?: \\w+#[a-z-]+)*) -->");
    private static final String FENCE = "```";

    private final String name;
    private final Regions regions;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> quoted = new TreeSet<>();

    private QuotingPage(String name, Regions regions) {
        this.name = name;
        this.regions = regions;
    }

    static QuotingPage read(String name, List<String> lines, Regions regions) {
        QuotingPage page = new QuotingPage(name, regions);
        page.read(lines);
        return page;
    }

    /** What is wrong, a sentence each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** The regions that it names. */
    Set<String> quoted() {
        return Set.copyOf(quoted);
    }

    private void read(List<String> lines) {
        String marker = null;
        int at = 0;
        while (at < lines.size()) {
            String line = lines.get(at).strip();
            at++;
            if (line.startsWith(FENCE)) {
                int end = endOfFence(lines, at);
                judge(marker, line.substring(FENCE.length()), lines.subList(at, end), at);
                marker = null;
                at = end + 1;
            } else if (!line.isEmpty()) {
                noFenceBelow(marker, at);
                marker = line.contains(MARKER_START) ? line : null;
            }
        }
        noFenceBelow(marker, at);
    }

    private static int endOfFence(List<String> lines, int from) {
        int end = from;
        while (end < lines.size() && !lines.get(end).strip().equals(FENCE)) {
            end++;
        }
        return end;
    }

    private void judge(@Nullable String marker, String language, List<String> code, int lineNumber) {
        if (marker == null) {
            if (language.equals("java")) {
                report(lineNumber, "Java code without a marker");
            }
            return;
        }
        Matcher named = MARKER.matcher(marker);
        if (!named.matches()) {
            report(lineNumber, "the marker above has to read <!-- example: Class#region -->");
            return;
        }
        compare(named.group(1), code, lineNumber);
    }

    private void compare(String regionNames, List<String> code, int lineNumber) {
        List<String> expected = new ArrayList<>();
        for (String region : regionNames.split(" ")) {
            List<String> source = regions.get(region);
            if (source == null) {
                report(lineNumber, "there is no region " + region);
                return;
            }
            quoted.add(region);
            if (!expected.isEmpty()) {
                expected.add("");
            }
            expected.addAll(source);
        }
        if (!expected.equals(Indentation.strip(code))) {
            report(lineNumber, "differs from " + regionNames + ", which reads\n" + String.join("\n", expected));
        }
    }

    private void noFenceBelow(@Nullable String marker, int lineNumber) {
        if (marker != null) {
            report(lineNumber, "no code below " + marker);
        }
    }

    private void report(int lineNumber, String what) {
        problems.add(name + ":" + lineNumber + ": " + what);
    }
}
