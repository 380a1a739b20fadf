package dev.leasehold.simulator.report;

import dev.leasehold.assertions.LeaseNames;
import java.util.ArrayList;
import java.util.List;

/** Tables of plain text. */
public final class TextTable {

    private TextTable() {}

    /**
     * Lines that end, with columns as wide as their widest cells.
     *
     * @param lines with as many cells each
     * @param firstNumber the first column whose cells stand to the right
     */
    public static String of(List<List<String>> lines, int firstNumber) {
        return aligned(visible(lines), firstNumber);
    }

    private static String aligned(List<List<String>> lines, int firstNumber) {
        StringBuilder text = new StringBuilder();
        for (List<String> cells : lines) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                String spaces = " ".repeat(width(lines, i) - cells.get(i).length());
                line.append(i == 0 ? "" : "  ").append(i < firstNumber ? cells.get(i) + spaces : spaces + cells.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Names in plans may have characters that turn a line around or break it. */
    private static List<List<String>> visible(List<List<String>> lines) {
        return lines.stream()
                .map(cells -> cells.stream().map(LeaseNames::visible).toList())
                .toList();
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream()
                .mapToInt(cells -> cells.get(column).length())
                .max()
                .orElse(0);
    }

    /** Below its head a rule. */
    public static String ruled(List<String> head, List<List<String>> rows, int firstNumber) {
        List<List<String>> lines = new ArrayList<>(visible(rows));
        lines.add(0, head);
        List<String> rule = new ArrayList<>();
        for (int i = 0; i < head.size(); i++) {
            rule.add("-".repeat(width(lines, i)));
        }
        lines.add(1, rule);
        return of(lines, firstNumber);
    }
}
