package dev.leasehold.operator.view;

import dev.leasehold.assertions.LeaseNames;
import java.util.ArrayList;
import java.util.List;

/** Text in columns, each as wide as its widest cell. */
public final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * With a line of headings.
     *
     * @param headings one for each column
     */
    public Table(List<String> headings) {
        rows.add(headings);
    }

    /** Adds a line with a cell for each column, in which whatever cannot be seen is shown as an escape. */
    public void add(List<String> cells) {
        rows.add(cells.stream().map(LeaseNames::visible).toList());
    }

    /** The lines, without spaces at their ends. */
    public List<String> lines() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
