package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.report.Statistics.Kill;
import java.util.List;
import java.util.stream.Collectors;

/** How planted bugs were found, as a table that reads as text and as Markdown. */
public final class KillTable {

    private static final String[] HEAD = {"bug", "must break", "broke", "profile", "first in history", "hits per 10,000", "commands when shrunk"};

    private KillTable() {}

    /** All lines, each ended. */
    public static String markdown(List<Hunted> hunted) {
        List<String[]> rows = hunted.stream().map(KillTable::row).toList();
        int[] widths = widths(rows);
        StringBuilder text = new StringBuilder();
        append(text, HEAD, widths);
        for (int width : widths) {
            text.append("|-").append("-".repeat(width)).append('-');
        }
        text.append("|\n");
        rows.forEach(row -> append(text, row, widths));
        return text.toString();
    }

    private static String[] row(Hunted hunted) {
        Kill kill = hunted.kill();
        String killers = hunted.bug().killers().stream().map(Promise::name).collect(Collectors.joining(" or "));
        return kill == null
                ? new String[] {hunted.bug().name(), killers, "survived " + hunted.histories(), hunted.bug().profile().word(), "", "", ""}
                : new String[] {
                    hunted.bug().name(),
                    killers,
                    kill.promise().name(),
                    hunted.bug().profile().word(),
                    Long.toString(kill.firstHistory()),
                    Long.toString(Math.round(kill.hitsPerTenThousand())),
                    Integer.toString(kill.commands())
                };
    }

    private static int[] widths(List<String[]> rows) {
        int[] widths = new int[HEAD.length];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = HEAD[i].length();
            for (String[] row : rows) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
    }

    private static void append(StringBuilder text, String[] cells, int[] widths) {
        for (int i = 0; i < cells.length; i++) {
            text.append("| ").append(cells[i]).append(" ".repeat(widths[i] - cells[i].length())).append(' ');
        }
        text.append("|\n");
    }
}
