package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.report.TimeText;
import java.util.ArrayList;
import java.util.List;

/** An estimate as tables of plain text. */
public final class EstimateText {

    static final List<String> NOTES = List.of(
            "The computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the server\n"
                    + "ends it, here after " + TimeText.brief(EstimatePlan.LIFETIME_NANOS) + ", looked for every "
                    + TimeText.brief(EstimatePlan.SWEEP_NANOS) + ".",
            "A stalled holder stops for the computed bound and a second. Another process works for it until it wakes, and is refused\n"
                    + "from when it is replaced. Transactions are run again because others assert the same lease at the same time.");

    private EstimateText() {}

    /** All of it, in lines that end. */
    public static String of(Estimate estimate) {
        StringBuilder text = new StringBuilder();
        List<Estimate.Table> tables = estimate.tables();
        for (int i = 0; i < tables.size(); i++) {
            text.append(i == 0 ? "" : "\n");
            append(text, tables.get(i));
            text.append('\n').append(NOTES.get(i)).append('\n');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Estimate.Table table) {
        List<List<String>> lines = new ArrayList<>(table.rows());
        lines.add(0, table.head());
        int[] widths = new int[table.head().size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        List<String> rule = new ArrayList<>();
        for (int width : widths) {
            rule.add("-".repeat(width));
        }
        lines.add(1, rule);
        text.append(table.title()).append("\n\n");
        lines.forEach(line -> text.append(aligned(line, widths)).append('\n'));
    }

    /** Words to the left, numbers to the right. */
    private static String aligned(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String spaces = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? "" : "  ").append(i < 2 ? cells.get(i) + spaces : spaces + cells.get(i));
        }
        return line.toString().stripTrailing();
    }
}
