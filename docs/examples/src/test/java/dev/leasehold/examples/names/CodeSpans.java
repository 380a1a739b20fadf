package dev.leasehold.examples.names;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a page shows as code within its sentences and tables. Code in blocks of its own is compared elsewhere. */
final class CodeSpans {

    private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
    private static final String FENCE = "```";

    private CodeSpans() {}

    static List<String> of(List<String> lines) {
        List<String> spans = new ArrayList<>();
        boolean code = false;
        for (String line : lines) {
            if (line.strip().startsWith(FENCE)) {
                code = !code;
            } else if (!code && !line.startsWith("    ")) {
                Matcher span = SPAN.matcher(line);
                while (span.find()) {
                    spans.add(span.group(1));
                }
            }
        }
        return spans;
    }

    /** Those in the first column of the table below a heading. */
    static List<String> inFirstColumn(List<String> lines, String heading) {
        List<String> spans = new ArrayList<>();
        boolean below = false;
        for (String line : lines) {
            if (line.startsWith("#")) {
                below = line.equals(heading);
            } else if (below && line.startsWith("| `")) {
                spans.addAll(of(List.of(line.substring(0, line.indexOf('|', 1)))));
            }
        }
        return spans;
    }
}
