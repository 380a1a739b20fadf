package dev.leasehold.simulator.report;

/** What the shapes and colours mean. */
final class Legend {

    private static final String WIDTH = "46";
    private static final String HEIGHT = "22";
    private static final String DIAMOND = "<path class=\"point\" d=\"M23 6l5 5l-5 5l-5 -5z\"/>";
    private static final String WHISKER =
            "<circle class=\"point\" cx=\"6\" cy=\"11\" r=\"3\"/><path class=\"line\" d=\"M6 11H40\"/><path class=\"cap\" d=\"M40 4v14\"/>";

    private Legend() {}

    static Markup markup(Palette palette) {
        Markup legend = new Markup()
                .open("section", "class", "legend")
                .element("h2", "Legend")
                .open("ul");
        for (String holder : palette.holders()) {
            box(legend, "belief " + palette.fill(holder), false, holder);
        }
        box(legend, "call yes", false, "call, answered yes");
        box(legend, "call no", false, "call, answered no");
        box(legend, "call unknown", true, "call, answered unknown");
        box(legend, "call never-returned", true, "call that never returned, or ends later");
        box(legend, "stored vacant", false, "document without holder");
        box(legend, "stored vacant taken-back", false, "write taken back by a fail-over");
        box(legend, "rate fast", false, "monotonic clock runs fast");
        box(legend, "rate slow", false, "monotonic clock runs slow");
        shade(legend, "asleep", "makes no step: paused, suspended, no primary");
        shade(legend, "cut", "cut off from the database, or no majority");
        shade(legend, "down", "no engine: crashed or closed");
        shape(legend, "mark", DIAMOND, "fault, lost message");
        shape(legend, "safe-after", DIAMOND, "from here on an observer may take the lease");
        shape(legend, "expiry", WHISKER, "expiry: from the write to where its writer's clock passes it");
        shape(legend, "commit", WHISKER, "commit: from the primary to a majority");
        shape(legend, "healed", "<path d=\"M23 0V22\"/>", "healed: no more faults from here on");
        shape(legend, "violation", "<path d=\"M23 0V22\"/>", "the promise is broken");
        return legend.close("ul").close("section");
    }

    private static void box(Markup legend, String style, boolean open, String text) {
        shape(
                legend,
                style,
                open
                        ? "<path class=\"box\" d=\"M43 3H3V19H43l-4 -4l4 -4l-4 -4z\"/>"
                        : "<rect class=\"box\" x=\"3\" y=\"3\" width=\"40\" height=\"16\" rx=\"2\"/>",
                text);
    }

    private static void shade(Markup legend, String style, String text) {
        shape(legend, "", "<rect class=\"" + style + "\" x=\"3\" y=\"3\" width=\"40\" height=\"16\"/>", text);
    }

    private static void shape(Markup legend, String style, String shape, String text) {
        legend.open("li")
                .open("svg", "class", "drawing", "width", WIDTH, "height", HEIGHT, "aria-hidden", "true")
                .open("g", "class", style)
                .raw(shape)
                .close("g")
                .close("svg")
                .element("span", text)
                .close("li");
    }
}
