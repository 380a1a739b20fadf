package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The drawing: a lane below the other, in which neither bars nor their labels touch each other, and the instants that matter for all. */
final class TimelineDrawing {

    private static final double LETTER_WIDTH = 6.6;
    private static final double LABEL_ROOM = 12;
    private static final int ROW_HEIGHT = 20;
    private static final double BAR_WIDTH_MIN = 4;
    private static final double SAME_PLACE = 0.1;
    /** More rows make nothing clearer: further bars lie over others, without a label. */
    private static final int ROWS_MAX = 7;

    private static final String[][] LEGEND = {
        {"call yes", "call, answered yes"},
        {"call no", "call, answered no"},
        {"call unknown", "call, answered unknown"},
        {"call", "call that never returned"},
        {"vacant", "lease without a holder"},
        {"taken-back", "taken back by a fail-over"},
        {"rate fast", "monotonic clock runs fast"},
        {"rate slow", "monotonic clock runs slow"},
        {"fault", "fault"},
        {"asleep", "the machine makes no step"},
        {"down", "no engine is running"},
        {"expiry", "from the write to the expiry on its writer's clock"},
        {"commit", "from the commit until a majority has it"}
    };

    private final Map<String, List<TimelineBar>> lanes;
    private final Map<String, String> colours;
    private final TimelineAxis axis;
    private final Report report;
    private final String notice;

    TimelineDrawing(Report report) {
        History history = report.history();
        Window window = Window.of(history.events(), report.violation());
        TimelineLanes drawn = new TimelineLanes(history);
        this.report = report;
        this.lanes = drawn.lanes();
        this.colours = drawn.colours();
        this.axis = new TimelineAxis(instants(history.events().subList(window.from(), window.to())));
        boolean isCut = window.to() - window.from() < history.events().size();
        this.notice = isCut
                ? "Not all is drawn: " + (window.to() - window.from()) + " of "
                        + history.events().size() + " events. "
                : "";
    }

    /** All instants at which a bar begins or ends, within the time of these events. */
    private List<Long> instants(List<Event> events) {
        long fromNanos = events.isEmpty() ? 0 : events.get(0).atNanos();
        long toNanos = events.isEmpty() ? 1 : events.get(events.size() - 1).atNanos();
        Stream<Long> ends = lanes.values().stream()
                .flatMap(List::stream)
                .flatMap(bar -> Stream.of(bar.fromNanos(), bar.toNanos()))
                .filter(nanos -> nanos >= fromNanos && nanos <= toNanos);
        return Stream.concat(Stream.of(fromNanos, toNanos, fromNanos + 1), ends).toList();
    }

    void draw(Markup page) {
        page.open("div", "class", "scroll", "tabindex", "0");
        page.open("div", "class", "sheet", "style", "--width:" + px(axis.width()));
        page.open("div", "class", "lane").element("div", "true time", "class", "name");
        page.open("div", "class", "bars", "style", "height:" + px(2 * ROW_HEIGHT));
        ticks(page);
        page.close("div").close("div");
        lanes.forEach((name, bars) -> lane(page, name, shown(bars)));
        page.close("div").close("div");
        page.element(
                "p",
                notice
                        + "True time runs to the right; no machine knows it. Long pauses are compressed. The last machine only looks"
                        + " on, until it tries for every lease after the healing.",
                "class",
                "notice");
        page.open("p", "class", "legend");
        colours.forEach((holder, style) -> page.element("span", holder, "class", "bar " + style));
        for (String[] entry : LEGEND) {
            page.element("span", entry[1], "class", "bar " + entry[0]);
        }
        page.close("p");
    }

    private List<TimelineBar> shown(List<TimelineBar> bars) {
        return bars.stream()
                .filter(bar -> axis.holds(bar.fromNanos())
                        || axis.holds(bar.toNanos())
                        || bar.fromNanos() < axis.firstNanos() && bar.toNanos() > axis.firstNanos())
                .sorted(Comparator.comparingLong(TimelineBar::fromNanos))
                .toList();
    }

    private void ticks(Markup page) {
        double freeX = 0;
        for (Long nanos : axis.instants()) {
            String label = TimeText.briefInstant(nanos);
            if (axis.x(nanos) >= freeX) {
                line(page, "tick", nanos, label, "");
                freeX = axis.x(nanos) + label.length() * LETTER_WIDTH + LABEL_ROOM;
            }
        }
        for (Event event : report.history().events()) {
            if (event instanceof Event.Healed && axis.holds(event.atNanos())) {
                line(page, "healed", event.atNanos(), "healed", "");
            }
        }
        Violation violation = report.violation();
        if (violation != null) {
            String label = violation.guarantee() + " broken, " + TimeText.instant(violation.atNanos());
            line(page, "violation", violation.atNanos(), label, "broken");
        }
    }

    /** A line through all lanes. */
    private void line(Markup page, String style, long nanos, String label, String id) {
        page.element("div", label, "class", style, "id", id, "style", "left:" + px(axis.x(nanos)));
    }

    private void lane(Markup page, String name, List<TimelineBar> bars) {
        boolean isGroup = !name.contains(" ");
        if (bars.isEmpty() && !isGroup) {
            return;
        }
        List<Double> freeX = new ArrayList<>(List.of(0.0));
        Markup drawn = new Markup();
        for (TimelineBar bar : bars) {
            double x = axis.x(bar.fromNanos());
            double width = Math.max(BAR_WIDTH_MIN, axis.x(bar.toNanos()) - x);
            int row = row(freeX, x);
            String label = row < ROWS_MAX ? bar.label() : "";
            double labelWidth = label.length() * LETTER_WIDTH + LABEL_ROOM;
            // Where it does not fit in, the label stands behind the bar.
            boolean isInside = labelWidth < width || x + width >= axis.width();
            double indent = isInside ? 4 : width + 4;
            if (row < ROWS_MAX) {
                freeX.set(row, x + Math.max(width, label.isEmpty() ? 0 : indent + labelWidth));
            }
            String place = "left:" + px(x) + ";width:" + px(width) + ";padding-left:" + px(indent) + ";top:"
                    + px(Math.min(row, ROWS_MAX - 1) * ROW_HEIGHT);
            String styles = "bar " + bar.styles() + (axis.holds(bar.toNanos()) ? "" : " open");
            drawn.element("div", label, "class", styles, "title", bar.tip(), "style", place);
        }
        page.open("div", "class", isGroup ? "lane group" : "lane")
                .element("div", name, "class", "name")
                .open("div", "class", "bars", "style", "height:" + px(freeX.size() * ROW_HEIGHT))
                .append(drawn)
                .close("div")
                .close("div");
    }

    /** The first one that is free there. */
    private static int row(List<Double> freeX, double x) {
        int row = 0;
        while (row < freeX.size() && freeX.get(row) > x + SAME_PLACE) {
            row++;
        }
        if (row == freeX.size() && row < ROWS_MAX) {
            freeX.add(0.0);
        }
        return row;
    }

    private static String px(double pixels) {
        return Math.round(pixels * 10) / 10.0 + "px";
    }
}
