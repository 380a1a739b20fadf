package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What became of mutants: which invariant has found each of them, and how soon. */
public record KillTable(List<Row> rows) {

    private static final List<String> HEADINGS = List.of(
            "mutant", "invariant", "profile", "first history", "of", "hits per 10,000", "commands after shrinking");

    private static final int FIRST_NUMBER = HEADINGS.indexOf("first history");

    public KillTable {
        rows = List.copyOf(rows);
    }

    /**
     * What became of one mutant.
     *
     * @param histories how many were played
     * @param kill how it was found; null if it was not
     */
    public record Row(
            Mutant mutant, int histories, @Nullable Kill kill) {

        /** How many of 10,000 histories show it, rounded; at least one if any did. */
        public long hitsPerTenThousand() {
            return kill == null ? 0 : Math.max(1, Math.round(kill.hits() * 10_000.0 / histories));
        }

        private List<String> cells() {
            List<String> cells = new ArrayList<>();
            cells.add(mutant.name());
            cells.add(
                    kill == null
                            ? mutant.killers().stream().map(Guarantee::name).collect(Collectors.joining(" or "))
                            : kill.guarantee().name());
            cells.add(mutant.profile().word());
            cells.add(kill == null ? "survived" : number(kill.firstHistory()));
            cells.add(number(histories));
            cells.add(number(hitsPerTenThousand()));
            cells.add(kill == null || kill.commands() == null ? "" : number(kill.commands()));
            return cells;
        }

        /** With commas, in every locale. */
        private static String number(long number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
    }

    /**
     * How a mutant was found.
     *
     * @param guarantee the first of its invariants that was seen broken
     * @param firstHistory the number of the history that has shown it, from 1 on
     * @param hits how many histories have shown it
     * @param commands how many the first of them needs after shrinking; null if it was not shrunk
     */
    public record Kill(
            Guarantee guarantee,
            int firstHistory,
            int hits,
            @Nullable Integer commands) {}

    /** Those that no invariant has found. */
    public List<Mutant> survivors() {
        return rows.stream().filter(row -> row.kill() == null).map(Row::mutant).toList();
    }

    /** In columns, for a terminal. */
    public String text() {
        List<List<String>> lines = new ArrayList<>(List.of(HEADINGS));
        rows.forEach(row -> lines.add(row.cells()));
        return TextTable.of(lines, FIRST_NUMBER);
    }

    /** As a table for a page of documentation, with what each mistake is. */
    public String markdown() {
        List<String> dashes = new ArrayList<>();
        for (int i = 0; i < HEADINGS.size(); i++) {
            dashes.add(i >= FIRST_NUMBER ? "--:" : "---");
        }
        StringBuilder page = new StringBuilder(row(HEADINGS, "mistake")).append(row(dashes, "---"));
        rows.forEach(row -> page.append(row(row.cells(), row.mutant().what())));
        return page.toString();
    }

    private static String row(List<String> cells, String last) {
        return "| " + String.join(" | ", cells) + " | " + last + " |\n";
    }
}
