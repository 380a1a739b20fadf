package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Verdict;
import dev.leasehold.bench.row.Outcome;
import java.util.ArrayList;
import java.util.List;

/** A row for a terminal. */
public final class PlainTable {

    private static final String GAP = "  ";

    private final Outcome outcome;

    /** The table of a row. */
    public PlainTable(Outcome outcome) {
        this.outcome = outcome;
    }

    /** {@return the table and the verdicts, in lines} */
    public List<String> lines() {
        Columns columns = new Columns(outcome);
        List<List<String>> cells = new ArrayList<>(List.of(columns.heads()));
        cells.addAll(columns.lines());
        List<String> lines = new ArrayList<>(
                List.of("", outcome.heading().name() + ": " + outcome.heading().title()));
        cells.forEach(line -> lines.add(GAP + line(line, cells)));
        outcome.failures().forEach((name, failure) -> lines.add(GAP + name + " failed: " + failure));
        outcome.verdicts().forEach(verdict -> lines.add(GAP + words(verdict)));
        return lines;
    }

    private static String line(List<String> line, List<List<String>> all) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < line.size(); column++) {
            int at = column;
            int width =
                    all.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
            String cell = line.get(column);
            String space = " ".repeat(width - cell.length());
            text.append(column == 0 ? cell + space : GAP + space + cell);
        }
        return text.toString().stripTrailing();
    }

    private static String words(Verdict verdict) {
        return verdict instanceof Verdict.Judged judged
                ? judged.words() + ": " + judged.goal().words() + "; is " + Figures.times(judged.ratio()) + ", "
                        + judged.values()
                : verdict.words() + " (" + verdict.goal().words() + ")";
    }
}
