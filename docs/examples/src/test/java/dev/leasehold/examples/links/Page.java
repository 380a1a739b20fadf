package dev.leasehold.examples.links;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The links of one Markdown page, and the anchors that it offers. */
final class Page {

    private static final Pattern HEADING = Pattern.compile("#{1,6} (.+)");
    private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
    private static final Pattern LINK = Pattern.compile("\\[(?:[^]\\[]|\\[[^]]*])*]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final String FENCE = "```";

    private final Set<String> anchors = new HashSet<>();
    private final List<String> links = new ArrayList<>();

    Page(List<String> lines) {
        StringBuilder text = new StringBuilder();
        Map<String, Integer> headings = new HashMap<>();
        boolean code = false;
        for (String line : lines) {
            if (line.strip().startsWith(FENCE)) {
                code = !code;
            } else if (!code && !line.startsWith("    ")) {
                Matcher heading = HEADING.matcher(line);
                if (heading.matches()) {
                    String anchor = anchor(heading.group(1));
                    int before = headings.merge(anchor, 1, Integer::sum) - 1;
                    anchors.add(before == 0 ? anchor : anchor + "-" + before);
                }
                text.append(line).append('\n');
            }
        }
        // Links may span lines; what stands in code is no link.
        String prose = CODE.matcher(text).replaceAll("");
        NAMED.matcher(prose).results().forEach(named -> anchors.add(named.group(1)));
        LINK.matcher(prose).results().forEach(link -> links.add(link.group(1)));
    }

    boolean hasAnchor(String anchor) {
        return anchors.contains(anchor);
    }

    /** Those to other places are among them. */
    List<String> links() {
        return List.copyOf(links);
    }

    /** As forges make it from a heading. */
    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }
}
