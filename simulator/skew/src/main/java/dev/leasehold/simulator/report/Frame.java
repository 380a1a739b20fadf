package dev.leasehold.simulator.report;

import java.util.ArrayList;
import java.util.List;

/** The lanes from top to bottom, and their names, which stand beside the drawing. */
final class Frame {

    /** The name of a lane or of a group of lanes. */
    record Name(double y, double height, String text, boolean heading) {}

    static final double ROW = 22;
    private static final double GROUP_GAP = 12;

    private final double width;
    private final Markup behind = new Markup();
    private final Markup lanes = new Markup();
    private final List<Name> names = new ArrayList<>();
    private double y;
    private double groupY;

    Frame(double width, double headHeight) {
        this.width = width;
        this.y = headHeight;
    }

    double y() {
        return y;
    }

    List<Name> names() {
        return names;
    }

    Markup behind() {
        return behind;
    }

    Markup lanes() {
        return lanes;
    }

    /** Begins a group with a lane of what befell it. */
    void begin(String name, List<Bar> mishaps) {
        groupY = y;
        lanes.empty("path", "class", "rule", "d", "M0 " + Markup.px(y) + 'H' + Markup.px(width));
        Lane lane = Lane.ofRows(width, ROW);
        lane.draw(mishaps, y);
        add(lane, name, true);
    }

    /** Adds a lane of rows if there is anything in it. */
    void rowsUnlessEmpty(String name, List<Bar> bars) {
        if (!bars.isEmpty()) {
            rows(name, bars);
        }
    }

    /** Adds a lane of rows. */
    void rows(String name, List<Bar> bars) {
        Lane lane = Lane.ofRows(width, ROW);
        lane.draw(bars, y);
        add(lane, name, false);
    }

    /** Adds a lane of one row. */
    void row(String name, List<Bar> bars) {
        Lane lane = Lane.ofOneRow(width, ROW);
        lane.draw(bars, y);
        add(lane, name, false);
    }

    private void add(Lane lane, String name, boolean heading) {
        lanes.append(lane.markup());
        names.add(new Name(y, lane.height(), name, heading));
        y += lane.height();
    }

    /** Fills all lanes of the group so far, behind all else. */
    void shade(String style, double fromX, double toX, String tip) {
        behind.open(
                        "rect",
                        "class",
                        style,
                        "x",
                        Markup.px(fromX),
                        "y",
                        Markup.px(groupY),
                        "width",
                        Markup.px(Math.max(1, toX - fromX)),
                        "height",
                        Markup.px(y - groupY))
                .element("title", tip)
                .close("rect");
    }

    void end() {
        y += GROUP_GAP;
    }
}
