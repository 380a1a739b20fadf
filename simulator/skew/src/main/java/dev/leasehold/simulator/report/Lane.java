package dev.leasehold.simulator.report;

import java.util.ArrayList;
import java.util.List;

/** Bars in rows, in which neither they nor their labels touch each other. */
final class Lane {

    /** More rows than this make nothing clearer: what comes then has its label in its tip alone, or lies over others. */
    private static final int ROWS_MAX = 7;

    private static final double INSET = 5;
    private static final double GAP = 3;
    private static final double LETTER = 7.1;
    /** A label stands on its line, not in it. */
    private static final double LINE_BELOW = 6;

    /** Where labels may stand. */
    private enum Spot {
        INSIDE,
        RIGHT,
        LEFT,
        NOWHERE
    }

    private final double width;
    private final double rowHeight;
    private final boolean oneRow;
    private final List<List<double[]>> rows = new ArrayList<>();
    private final Markup out = new Markup();

    private Lane(double width, double rowHeight, boolean oneRow) {
        this.width = width;
        this.rowHeight = rowHeight;
        this.oneRow = oneRow;
        rows.add(new ArrayList<>());
    }

    /** A lane of as many rows as it takes. */
    static Lane ofRows(double width, double rowHeight) {
        return new Lane(width, rowHeight, false);
    }

    /** A lane of one row, in which one thing follows on the other; only labels that fit inside are shown. */
    static Lane ofOneRow(double width, double rowHeight) {
        return new Lane(width, rowHeight, true);
    }

    double height() {
        return rows.size() * rowHeight;
    }

    Markup markup() {
        return out;
    }

    static double textWidth(String text) {
        return text.length() * LETTER;
    }

    /** Draws the bars into a lane that begins at this height. */
    void draw(List<Bar> bars, double y) {
        for (Bar bar : bars) {
            String label = label(bar);
            Spot spot = spot(bar, label);
            int row = oneRow ? 0 : row(bar, label, spot);
            if (row < 0 && spot != Spot.INSIDE) {
                row = row(bar, label, Spot.NOWHERE);
                spot = Spot.NOWHERE;
            }
            draw(bar, label, row < 0 ? Spot.NOWHERE : spot, y + Math.max(0, row) * rowHeight);
        }
    }

    private String label(Bar bar) {
        boolean brief =
                !bar.brief().isEmpty() && !fitsInside(bar, bar.label()) && (oneRow || fitsInside(bar, bar.brief()));
        return brief ? bar.brief() : bar.label();
    }

    private boolean fitsInside(Bar bar, String label) {
        return bar.shape() != Bar.Shape.POINT && bar.drawnToX() - bar.fromX() >= textWidth(label) + 2 * INSET;
    }

    private Spot spot(Bar bar, String label) {
        if (label.isEmpty() || fitsInside(bar, label)) {
            return label.isEmpty() ? Spot.NOWHERE : Spot.INSIDE;
        }
        if (oneRow) {
            return Spot.NOWHERE;
        }
        return bar.drawnToX() + INSET + textWidth(label) <= width || bar.fromX() < textWidth(label)
                ? Spot.RIGHT
                : Spot.LEFT;
    }

    /** The first row with room; -1 when there is none. */
    private int row(Bar bar, String label, Spot spot) {
        double from = bar.fromX() - (spot == Spot.LEFT ? textWidth(label) + INSET : 0) - GAP;
        double to = bar.drawnToX() + (spot == Spot.RIGHT ? textWidth(label) + INSET : 0) + GAP;
        for (int i = 0; i < ROWS_MAX; i++) {
            if (i == rows.size()) {
                rows.add(new ArrayList<>());
            }
            if (isFree(rows.get(i), from, to)) {
                rows.get(i).add(new double[] {from, to});
                return i;
            }
        }
        return -1;
    }

    private static boolean isFree(List<double[]> row, double from, double to) {
        for (double[] taken : row) {
            if (from < taken[1] - GAP && to - GAP > taken[0]) {
                return false;
            }
        }
        return true;
    }

    private void draw(Bar bar, String label, Spot spot, double y) {
        out.open("g", "class", bar.styles()).element("title", bar.tip());
        double middle = y + rowHeight / 2;
        switch (bar.shape()) {
            case BOX -> box(bar, y + 2, rowHeight - 4);
            case WHISKER -> whisker(bar, y + rowHeight - LINE_BELOW);
            case POINT -> point(bar.fromX(), middle);
        }
        label(bar, label, spot, bar.shape() == Bar.Shape.WHISKER ? middle + 1 : middle + 4);
        out.close("g");
    }

    /** An open end has no edge, and frays. */
    private void box(Bar bar, double y, double height) {
        String x = Markup.px(bar.fromX());
        double toX = bar.drawnToX();
        if (bar.open()) {
            double step = height / 4;
            out.empty(
                    "path",
                    "class",
                    "box",
                    "d",
                    "M" + Markup.px(toX) + ' ' + Markup.px(y) + 'H' + x + 'V' + Markup.px(y + height) + 'H'
                            + Markup.px(toX) + "l-4 " + Markup.px(-step) + "l4 " + Markup.px(-step) + "l-4 "
                            + Markup.px(-step) + "z");
        } else {
            out.empty(
                    "rect",
                    "class",
                    "box",
                    "x",
                    x,
                    "y",
                    Markup.px(y),
                    "width",
                    Markup.px(toX - bar.fromX()),
                    "height",
                    Markup.px(height),
                    "rx",
                    "2");
        }
    }

    private void whisker(Bar bar, double y) {
        double toX = bar.drawnToX();
        out.empty("circle", "class", "point", "cx", Markup.px(bar.fromX()), "cy", Markup.px(y), "r", "3");
        out.empty(
                "path", "class", "line", "d", "M" + Markup.px(bar.fromX()) + ' ' + Markup.px(y) + 'H' + Markup.px(toX));
        out.empty(
                "path",
                "class",
                "cap",
                "d",
                bar.open()
                        ? "M" + Markup.px(toX - 6) + ' ' + Markup.px(y - 4) + "l6 4l-6 4"
                        : "M" + Markup.px(toX) + ' ' + Markup.px(y - 7) + "v11");
    }

    private void point(double x, double y) {
        out.empty("path", "class", "point", "d", "M" + Markup.px(x) + ' ' + Markup.px(y - 5) + "l5 5l-5 5l-5 -5z");
    }

    private void label(Bar bar, String label, Spot spot, double y) {
        switch (spot) {
            case INSIDE -> inside(bar, label, y);
            case RIGHT -> text(label, bar.drawnToX() + INSET, y, "", "");
            case LEFT -> text(label, bar.fromX() - INSET, y, "", "end");
            case NOWHERE -> {}
        }
    }

    /** On a line it stands at the cap. */
    private void inside(Bar bar, String label, double y) {
        if (bar.shape() == Bar.Shape.WHISKER) {
            text(label, bar.drawnToX() - INSET, y, "", "end");
        } else {
            text(label, bar.fromX() + INSET, y, bar.inkStyle(), "");
        }
    }

    private void text(String label, double x, double y, String style, String anchor) {
        out.element("text", label, "x", Markup.px(x), "y", Markup.px(y), "class", style, "text-anchor", anchor);
    }
}
