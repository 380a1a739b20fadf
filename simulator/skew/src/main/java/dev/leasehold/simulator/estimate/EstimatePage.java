package dev.leasehold.simulator.estimate;

import java.util.List;
import java.util.Locale;

/** An estimate as one page of HTML that needs nothing else: neither a network nor scripts. */
public final class EstimatePage {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 260;
    private static final int LEFT = 46;
    private static final int BOTTOM = 36;
    private static final int TOP = 26;
    private static final int MARKS = 6;

    private static final String STYLE = """
            :root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #d5dae1; --bar: #3b6ea8; --rule: #b3261e; }
            @media (prefers-color-scheme: dark) {
              :root { --paper: #15181c; --ink: #e4e8ee; --faint: #3a4049; --bar: #7fb0e6; --rule: #ff8a80; }
            }
            body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem;
              padding: 0 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--faint); padding: .3rem .8rem .3rem 0;
              text-align: right; white-space: nowrap; }
            th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
            svg { display: block; height: auto; max-width: 100%; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
            @media (max-width: 40rem) { svg text { font-size: 20px; } }
            .bar { fill: var(--bar); } .axis { stroke: var(--ink); } .grid { stroke: var(--faint); }
            .rule { stroke: var(--rule); stroke-width: 2; stroke-dasharray: 6 4; } svg .rule-name { fill: var(--rule); }
            """;

    private EstimatePage() {}

    /**
     * The page.
     *
     * @param command that makes the same estimate again
     */
    public static String html(Estimate estimate, String command) {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>Leasehold estimate</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n")
                .append("<h1>How late a take-over comes</h1>\n<p>Measured in ")
                .append(estimate.histories())
                .append(" simulated histories for each line, played with the real engine. The same again:</p>\n")
                .append("<pre class=\"wide\">")
                .append(escaped(command))
                .append("</pre>\n");
        table(page, EstimateTable.ofTakeOvers(estimate));
        page.append(
                "<p>The computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the"
                        + " server ends it.</p>\n");
        for (TakeOvers line : estimate.takeOvers()) {
            if (line.delays().size() > 0) {
                plot(page, estimate, line);
            }
        }
        table(page, EstimateTable.ofGates(estimate));
        page.append("<p>").append(escaped(EstimateText.STALLS)).append("</p>\n");
        return page.append("</body>\n</html>\n").toString();
    }

    private static void table(StringBuilder page, EstimateTable table) {
        page.append("<h2>").append(escaped(table.title())).append("</h2>\n<div class=\"wide\"><table>\n");
        row(page, table.head(), "th");
        table.rows().forEach(row -> row(page, row, "td"));
        page.append("</table></div>\n");
    }

    private static void row(StringBuilder page, List<String> cells, String tag) {
        page.append("<tr>");
        cells.forEach(cell -> page.append('<')
                .append(tag)
                .append('>')
                .append(escaped(cell))
                .append("</")
                .append(tag)
                .append('>'));
        page.append("</tr>\n");
    }

    private static void plot(StringBuilder page, Estimate estimate, TakeOvers line) {
        Bars bars = Bars.of(line);
        String title = EstimateTable.lease(estimate, line.kind())
                + (line.scenario() == Scenario.DIES ? ", the holder was idle" : ", the holder was at work");
        page.append("<h2>")
                .append(escaped(title))
                .append("</h2>\n<svg viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(HEIGHT)
                .append("\" width=\"")
                .append(WIDTH)
                .append("\" role=\"img\" aria-label=\"delays of take-overs, ")
                .append(escaped(title))
                .append("\">\n");
        grid(page, bars);
        for (int i = 0; i < bars.counts().length; i++) {
            bar(page, bars, i);
        }
        axis(page, bars);
        rule(page, bars, line.ruleNanos());
        page.append("</svg>\n");
    }

    private static void grid(StringBuilder page, Bars bars) {
        line(page, "grid", LEFT, TOP, WIDTH, TOP);
        text(page, LEFT - 6, TOP + 4, "end", Integer.toString(bars.highest()), "");
        text(page, LEFT - 6, HEIGHT - BOTTOM + 4, "end", "0", "");
    }

    private static void bar(StringBuilder page, Bars bars, int part) {
        double height = (double) bars.counts()[part] / bars.highest() * (HEIGHT - BOTTOM - TOP);
        double left = x(bars, part * bars.partNanos());
        double right = x(bars, (part + 1) * bars.partNanos());
        if (bars.counts()[part] > 0) {
            page.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s to %s: %d</title></rect>\n",
                    left + 1,
                    HEIGHT - BOTTOM - height,
                    right - left - 2,
                    height,
                    Times.words(part * bars.partNanos()),
                    Times.words((part + 1) * bars.partNanos()),
                    bars.counts()[part]));
        }
    }

    private static void axis(StringBuilder page, Bars bars) {
        line(page, "axis", LEFT, HEIGHT - BOTTOM, WIDTH, HEIGHT - BOTTOM);
        int step = Math.max(1, bars.counts().length / MARKS);
        for (int part = 0; part <= bars.counts().length; part += step) {
            double x = x(bars, part * bars.partNanos());
            line(page, "axis", x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5);
            text(
                    page,
                    x,
                    HEIGHT - BOTTOM + 20,
                    x > WIDTH - 30 ? "end" : "middle",
                    Times.words(part * bars.partNanos()),
                    "");
        }
    }

    private static void rule(StringBuilder page, Bars bars, long ruleNanos) {
        double x = x(bars, ruleNanos);
        line(page, "rule", x, TOP - 8, x, HEIGHT - BOTTOM);
        text(
                page,
                x,
                TOP - 12,
                x > WIDTH / 2.0 ? "end" : "start",
                "computed bound " + Times.words(ruleNanos),
                "rule-name");
    }

    private static double x(Bars bars, long nanos) {
        return LEFT + (double) nanos / (bars.partNanos() * bars.counts().length) * (WIDTH - LEFT);
    }

    private static void line(StringBuilder page, String style, double x1, double y1, double x2, double y2) {
        page.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                style,
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder page, double x, double y, String anchor, String words, String style) {
        page.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                style,
                x,
                y,
                anchor,
                escaped(words)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
