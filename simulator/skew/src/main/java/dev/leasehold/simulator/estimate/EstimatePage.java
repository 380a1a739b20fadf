package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.report.Markup;
import dev.leasehold.simulator.report.TimeText;

/** An estimate as one page of HTML that needs nothing else: neither a network nor scripts. */
public final class EstimatePage {

    private static final int PARTS_MAX = 24;
    private static final double PERCENT = 100.0;

    private static final String STYLE = """
            :root { color-scheme: light dark; --page: #fff; --ink: #1b1f24; --rule: #d5dae1; --bar: #a9c6ef; --bound: #b3261e; }
            @media (prefers-color-scheme: dark) {
              :root { --page: #15181c; --ink: #e4e8ee; --rule: #3a4049; --bar: #2c5597; --bound: #ff8a80; }
            }
            body { background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem;
              padding: 0 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } pre, div { overflow-x: auto; }
            table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--rule); padding: .2rem .8rem .2rem 0;
              text-align: right; white-space: nowrap; }
            th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
            .plot { width: 100%; } .plot td { border: none; padding: 0 .8rem 0 0; } .plot td:last-child { width: 100%; }
            .plot div { background: var(--bar); padding: 0 .3rem; overflow: visible; }
            .plot .bound td { border-top: 2px dashed var(--bound); }
            """;

    private EstimatePage() {}

    /**
     * The page.
     *
     * @param command that makes the same estimate again
     */
    public static String html(Estimate estimate, String command) {
        Markup page = Markup.page("Leasehold estimate", STYLE)
                .element("h1", "How late a take-over comes")
                .element(
                        "p",
                        "Measured in " + estimate.histories()
                                + " simulated histories for each line, played with the real engine. The same again:")
                .element("pre", command);
        for (Estimate.Table table : estimate.tables()) {
            table(page, table);
            page.element("p", table.note());
        }
        estimate.deaths().filter(line -> !line.delaysNanos().isEmpty()).forEach(line -> plot(page, estimate, line));
        return page.endOfPage();
    }

    private static void table(Markup page, Estimate.Table table) {
        page.element("h2", table.title()).open("div").open("table").row("th", table.head());
        table.rows().forEach(row -> page.row("td", row));
        page.close("table").close("div");
    }

    /** How many delays fall into each part of the time, and a line at the computed bound. */
    private static void plot(Markup page, Estimate estimate, Estimate.Line line) {
        long boundNanos = estimate.settings().boundNanos(line.kind());
        long fromNanos = line.quantileNanos(0);
        long endNanos = Math.max(line.quantileNanos(1), boundNanos);
        long partNanos = Math.max(1, (endNanos - fromNanos) / PARTS_MAX);
        page.element("h2", estimate.lease(line) + ", holder " + estimate.holder(line) + ": delays")
                .open("table", "class", "plot");
        for (long nanos = fromNanos; nanos <= endNanos; nanos += partNanos) {
            long from = nanos;
            long number = line.delaysNanos().stream()
                    .filter(delay -> delay >= from && delay < from + partNanos)
                    .count();
            boolean isBound = boundNanos >= from && boundNanos < from + partNanos;
            String width = "width:" + PERCENT * number / line.delaysNanos().size() + "%";
            page.open("tr", "class", isBound ? "bound" : "")
                    .element("td", TimeText.brief(from) + (isBound ? " computed bound" : ""))
                    .open("td");
            if (number > 0) {
                page.element("div", Long.toString(number), "style", width);
            }
            page.close("td").close("tr");
        }
        page.close("table");
    }
}
