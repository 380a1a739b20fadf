package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;

/**
 * Draws a history: one HTML file with everything in it, without scripts, in light or dark as the viewer has it. True time runs to
 * the right. Every machine, every lease and the database have lanes of their own, and the instant at which the promise was broken is a
 * line through all of them.
 */
final class Timeline {

    private static final double HEAD = 62;
    private static final double FLAG_BASE = 14;
    private static final double TICK_BASE = 36;
    private static final double GAP_BASE = 54;
    private static final double LABEL_MARGIN = 6;
    /** Two flags need so much room. */
    private static final double CROWDED = 290;
    /** So much wider are letters that are bold. */
    private static final double BOLD = 1.15;

    private final Finding finding;
    private final Window window;
    private final Scene scene;
    private final Frame frame;

    private Timeline(Finding finding) {
        this.finding = finding;
        this.window = Window.of(finding.history().events(), finding.violation());
        this.scene = new Scene(finding.history(), window, finding.violation());
        this.frame = new Frame(scene.axis().width(), HEAD);
    }

    /** The whole file. */
    static String html(Finding finding) {
        return new Timeline(finding).html();
    }

    private String html() {
        Markup drawing = drawing();
        Markup page = new Markup();
        page.raw("<!DOCTYPE html>\n")
                .open("html", "lang", "en")
                .open("head")
                .empty("meta", "charset", "utf-8")
                .empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
                .element("title", TitleBlock.title(finding))
                .open("style")
                .raw(Resources.text("timeline.css"))
                .close("style")
                .close("head")
                .open("body")
                .open("main");
        page.append(new TitleBlock(finding).markup());
        page.open("figure").element("p", window.notice(), "class", "notice");
        page.open("div", "class", "scroll", "tabindex", "0").open("div", "class", "sheet");
        page.append(names()).append(drawing);
        anchors(page);
        page.close("div").close("div").append(caption()).close("figure");
        page.append(Legend.markup(scene.palette()));
        page.append(new Details(finding, window).markup());
        return page.close("main").close("body").close("html").toString();
    }

    /** Where the drawing is scrolled to by the link, and at first in browsers that can. */
    private void anchors(Markup page) {
        Violation violation = finding.violation();
        if (violation != null) {
            String place = "--x:" + Markup.px(scene.axis().x(violation.atNanos())) + "px";
            page.element("span", "", "id", "broken", "style", place)
                    .element("span", "", "class", "first-view", "style", place);
        }
    }

    private Markup caption() {
        Markup caption = new Markup().open("figcaption");
        caption.text(
                "m0, m1 and so on are machines. The last of them only looks on, until it tries for every lease after the healing. "
                        + "True time runs to the right; none of them knows it. ");
        if (scene.axis().isStretched()) {
            caption.text("Its scale is stretched where much happens and compressed where little does: "
                    + "each shaded gap in the time line says how long it is. ");
        }
        return caption.close("figcaption");
    }

    private Markup drawing() {
        for (int i = 0; i < finding.history().clocks().size(); i++) {
            new MachineLanes(scene, i).draw(frame);
        }
        for (String lease : scene.leases()) {
            new LeaseLanes(scene, lease).draw(frame);
        }
        new DatabaseLanes(scene).draw(frame);
        String width = Markup.px(scene.axis().width());
        String height = Markup.px(frame.y());
        Markup svg = new Markup();
        svg.open(
                "svg",
                "class",
                "drawing",
                "role",
                "img",
                "aria-label",
                "timeline of the history",
                "viewBox",
                "0 0 " + width + ' ' + height,
                "width",
                width,
                "height",
                height);
        svg.append(Hatches.markup())
                .append(gaps())
                .append(frame.behind())
                .append(ticks())
                .append(frame.lanes());
        healing(svg);
        violation(svg);
        return svg.close("svg");
    }

    private Markup gaps() {
        Markup gaps = new Markup();
        for (Axis.Break piece : scene.axis().breaks()) {
            gap(gaps, piece, frame.y());
        }
        return gaps;
    }

    private Markup ticks() {
        Markup ticks = new Markup();
        for (Axis.Tick tick : scene.axis().ticks()) {
            tick(ticks, tick, frame.y());
        }
        return ticks;
    }

    private void gap(Markup time, Axis.Break piece, double bottom) {
        double width = piece.toX() - piece.fromX();
        time.open("g", "class", "gap").element("title", TimeWords.exact(piece.nanos()) + " in which nothing happens");
        time.empty(
                "rect",
                "x",
                Markup.px(piece.fromX()),
                "y",
                Markup.px(TICK_BASE + 5),
                "width",
                Markup.px(width),
                "height",
                Markup.px(bottom - TICK_BASE - 5));
        String label = TimeWords.brief(piece.nanos());
        if (width > Lane.textWidth(label) + LABEL_MARGIN) {
            time.element(
                    "text",
                    label,
                    "x",
                    Markup.px(piece.fromX() + width / 2),
                    "y",
                    Markup.px(GAP_BASE),
                    "text-anchor",
                    "middle");
        }
        time.close("g");
    }

    private void tick(Markup time, Axis.Tick tick, double bottom) {
        String x = Markup.px(tick.x());
        time.open("g", "class", tick.relative() ? "tick relative" : "tick")
                .element("title", TimeWords.instant(tick.atNanos()));
        time.empty(
                "path",
                "d",
                "M" + x + ' ' + Markup.px(TICK_BASE + 5) + 'V' + Markup.px(tick.relative() ? HEAD - 8 : bottom));
        boolean last = scene.axis().endsAt(tick.x(), tick.label());
        double shift = last ? -2 : 2;
        time.element(
                "text",
                tick.label(),
                "x",
                Markup.px(tick.x() + shift),
                "y",
                Markup.px(TICK_BASE),
                "text-anchor",
                last ? "end" : "");
        time.close("g");
    }

    private void healing(Markup svg) {
        long healedNanos = scene.story().healedNanos();
        if (scene.axis().holds(healedNanos)) {
            Violation violation = finding.violation();
            boolean crowded = violation != null
                    && Math.abs(scene.axis().x(healedNanos) - scene.axis().x(violation.atNanos())) < CROWDED;
            line(
                    svg,
                    "healed",
                    healedNanos,
                    crowded ? "" : "healed",
                    "from here on there are no faults: " + TimeWords.instant(healedNanos));
        }
    }

    private void violation(Markup svg) {
        Violation violation = finding.violation();
        if (violation != null) {
            line(
                    svg,
                    "violation",
                    violation.atNanos(),
                    violation.promise() + " broken, " + TimeWords.instant(violation.atNanos()),
                    violation.sentence() + "\n" + TimeWords.instant(violation.atNanos()));
        }
    }

    private void line(Markup svg, String style, long atNanos, String flag, String tip) {
        double x = scene.axis().x(atNanos);
        double flagWidth = Lane.textWidth(flag) * BOLD + 12;
        boolean left = x + flagWidth > scene.axis().width();
        svg.open("g", "class", style).element("title", tip);
        svg.empty("path", "d", "M" + Markup.px(x) + " 0V" + Markup.px(frame.y()));
        if (!flag.isEmpty()) {
            svg.empty(
                    "rect",
                    "x",
                    Markup.px(left ? x - flagWidth : x),
                    "y",
                    "0",
                    "width",
                    Markup.px(flagWidth),
                    "height",
                    "20");
            svg.element(
                    "text",
                    flag,
                    "x",
                    Markup.px(left ? x - 6 : x + 6),
                    "y",
                    Markup.px(FLAG_BASE),
                    "text-anchor",
                    left ? "end" : "");
        }
        svg.close("g");
    }

    private Markup names() {
        Markup names = new Markup().open("div", "class", "names", "style", "height:" + Markup.px(frame.y()) + "px");
        name(names, TICK_BASE - 16, 20, "true time", "");
        for (Frame.Name name : frame.names()) {
            name(names, name.y(), name.height(), name.text(), name.heading() ? "group" : "");
        }
        return names.close("div");
    }

    private static void name(Markup names, double y, double height, String text, String style) {
        names.element(
                "div", text, "class", style, "style", "top:" + Markup.px(y) + "px;height:" + Markup.px(height) + "px");
    }
}
