package dev.leasehold.simulator.estimate;

import java.util.List;

/** An estimate as plain text: two tables, and a plot of bars. */
public final class EstimateText {

    static final String STALLS = """
            A stalled holder stops for the computed bound and a second. Those who work for it go on with its tenure until it wakes, and
            are refused from when it is replaced. Transactions are run again because others assert the same lease at the same time.
            """;

    private static final int BAR_WIDTH = 48;

    private EstimateText() {}

    /** All of it, in lines that end. */
    public static String of(Estimate estimate) {
        StringBuilder text = new StringBuilder();
        table(text, EstimateTable.ofTakeOvers(estimate));
        text.append(
                        "\nThe computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the"
                                + " server\nends it, here after ")
                .append(Times.words(PlanDraw.LIFETIME_NANOS))
                .append(", looked for every ")
                .append(Times.words(PlanDraw.SWEEP_NANOS))
                .append(".\n\n");
        table(text, EstimateTable.ofGates(estimate));
        text.append('\n').append(STALLS);
        for (TakeOvers line : estimate.takeOvers()) {
            if (line.scenario() == Scenario.DIES && line.delays().size() > 0) {
                text.append('\n');
                plot(text, estimate, line);
            }
        }
        return text.toString();
    }

    private static void table(StringBuilder text, EstimateTable table) {
        int[] widths = new int[table.head().size()];
        widen(widths, table.head());
        table.rows().forEach(row -> widen(widths, row));
        text.append(table.title()).append("\n\n");
        row(text, table.head(), widths);
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
        }
        text.append('\n');
        table.rows().forEach(row -> row(text, row, widths));
    }

    private static void widen(int[] widths, List<String> cells) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], cells.get(i).length());
        }
    }

    /** Words to the left, numbers to the right. */
    private static void row(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String spaces = " ".repeat(widths[i] - cells.get(i).length());
            row.append(i == 0 ? "" : "  ").append(i < 2 ? cells.get(i) + spaces : spaces + cells.get(i));
        }
        text.append(row.toString().stripTrailing()).append('\n');
    }

    private static void plot(StringBuilder text, Estimate estimate, TakeOvers line) {
        Bars bars = Bars.of(line);
        text.append(EstimateTable.lease(estimate, line.kind()))
                .append(": delays of ")
                .append(line.delays().size())
                .append(" take-overs\n");
        for (int i = bars.first(); i < bars.counts().length; i++) {
            int width = (int) Math.ceil((double) bars.counts()[i] * BAR_WIDTH / bars.highest());
            String from = Times.words(i * bars.partNanos());
            text.append(" ".repeat(Math.max(0, 9 - from.length())))
                    .append(from)
                    .append(" |")
                    .append("#".repeat(width));
            text.append(width == 0 ? "" : " " + bars.counts()[i]).append('\n');
        }
    }
}
