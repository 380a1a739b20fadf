package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Spread;
import dev.leasehold.bench.row.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A row as a picture: for each entrant a point at its median, and a line over its rounds, on a logarithmic axis. */
final class Chart {

    private static final int WIDTH = 860;
    private static final int NAMES = 270;
    private static final int VALUES = 110;
    private static final int TOP = 54;
    private static final int LINE = 26;
    private static final int BOTTOM = 34;
    private static final int RADIUS = 5;
    private static final int GAP = 10;

    private final String title;
    private final Quantity quantity;
    private final List<Series> series;

    private Chart(String title, Quantity quantity, List<Series> series) {
        this.title = title;
        this.quantity = quantity;
        this.series = series;
    }

    /** The chart of a row; none where there is nothing to compare. */
    static Optional<Chart> of(Outcome outcome) {
        Quantity charted = outcome.heading().charted();
        List<Series> shown = outcome.result().series().stream()
                .filter(each -> each.has(charted) && each.spread(charted).least() > 0)
                .toList();
        return shown.size() < 2
                ? Optional.empty()
                : Optional.of(new Chart(outcome.heading().title(), charted, shown));
    }

    String svg() {
        int height = TOP + LINE * series.size() + BOTTOM;
        StringBuilder svg = new StringBuilder();
        append(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">",
                WIDTH,
                height);
        svg.append(STYLE);
        append(svg, "<title>%s</title>", escape(title));
        text(svg, "title", GAP, 20, title);
        text(
                svg,
                "quiet",
                GAP,
                38,
                quantity.title() + ", " + (quantity.isBetterWhenGreater() ? "more" : "less")
                        + " is better; the point is the median of the rounds, the line goes from the least to the greatest");
        LogAxis axis = axis();
        for (double tick : axis.ticks()) {
            double x = NAMES + axis.at(tick);
            line(svg, "grid", x, TOP, x, height - BOTTOM);
            text(svg, "quiet middle", x, height - BOTTOM + 16, quantity.unit().show(tick));
        }
        for (int number = 0; number < series.size(); number++) {
            entrant(svg, axis, series.get(number), TOP + LINE * number + LINE / 2);
        }
        return svg.append("</svg>\n").toString();
    }

    private LogAxis axis() {
        List<Spread> spreads =
                series.stream().map(each -> each.spread(quantity)).toList();
        return new LogAxis(
                spreads.stream().mapToDouble(Spread::least).min().orElseThrow(),
                spreads.stream().mapToDouble(Spread::greatest).max().orElseThrow(),
                WIDTH - NAMES - VALUES);
    }

    private void entrant(StringBuilder svg, LogAxis axis, Series each, int y) {
        Spread spread = each.spread(quantity);
        String kind = kind(each.role());
        text(svg, "name " + kind, NAMES - GAP, y + 4, each.entrant());
        line(svg, kind, NAMES + axis.at(spread.least()), y, NAMES + axis.at(spread.greatest()), y);
        append(
                svg,
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"%d\"/>",
                kind,
                NAMES + axis.at(spread.median()),
                y,
                RADIUS);
        text(svg, kind, WIDTH - VALUES + GAP, y + 4, quantity.unit().show(spread.median()));
    }

    private static String kind(Role role) {
        return role == Role.OURS ? "ours" : role == Role.BARE ? "bare" : "peer";
    }

    private static void line(StringBuilder svg, String kind, double x1, int y1, double x2, int y2) {
        append(svg, "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", kind, x1, y1, x2, y2);
    }

    private static void text(StringBuilder svg, String kind, double x, double y, String words) {
        append(svg, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", kind, x, y, escape(words));
    }

    private static void append(StringBuilder svg, String element, Object... values) {
        svg.append(String.format(Locale.ROOT, element, values)).append('\n');
    }

    private static String escape(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Readable on white and on black; a page that shows the picture cannot say which of them it is, but the reader's system can. */
    private static final String STYLE = """
            <style>
            text { font: 12px system-ui, sans-serif; fill: #1f2328; }
            .title { font-weight: 600; font-size: 14px; }
            .quiet { fill: #59636e; font-size: 11px; }
            .middle { text-anchor: middle; }
            .name { text-anchor: end; }
            text.ours { font-weight: 600; }
            .grid { stroke: #d1d9e0; stroke-width: 1; }
            line.ours { stroke: #0969da; stroke-width: 2; } circle.ours { fill: #0969da; }
            line.peer { stroke: #bc4c00; stroke-width: 2; } circle.peer { fill: #bc4c00; }
            line.bare { stroke: #818b98; stroke-width: 2; } circle.bare { fill: #818b98; }
            @media (prefers-color-scheme: dark) {
            text { fill: #f0f6fc; } .quiet { fill: #9198a1; } .grid { stroke: #3d444d; }
            line.ours { stroke: #4493f8; } circle.ours { fill: #4493f8; }
            line.peer { stroke: #f0883e; } circle.peer { fill: #f0883e; }
            }
            </style>
            """;
}
