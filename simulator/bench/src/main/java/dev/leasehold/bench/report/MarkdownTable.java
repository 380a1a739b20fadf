package dev.leasehold.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table in Markdown, as short as it can be written: the first column to the left, all others to the right. */
final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();
    private final int columns;

    MarkdownTable(List<String> heads) {
        this.columns = heads.size();
        add(heads);
        lines.add("|---|" + "---:|".repeat(columns - 1));
    }

    /**
     * Adds a line.
     *
     * @throws IllegalArgumentException if it has more or fewer cells than the head
     */
    MarkdownTable add(List<String> cells) {
        if (cells.size() != columns) {
            throw new IllegalArgumentException(
                    cells.size() + " cells are refused in a table of " + columns + " columns");
        }
        lines.add(cells.stream().map(MarkdownTable::escape).collect(Collectors.joining("|", "|", "|")));
        return this;
    }

    private static String escape(String cell) {
        return cell.replace("|", "\\|").replace("\n", " ");
    }

    @Override
    public String toString() {
        return String.join("\n", lines) + "\n";
    }
}
