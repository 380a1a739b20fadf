package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.checker.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What became of mutants: which promise has found each of them, and how soon. */
public record KillTable(List<Row> rows) {

    private static final List<String> HEADINGS = List.of(
            "mutant", "promise", "profile", "first history", "of", "hits per 10,000", "commands after shrinking");

    public KillTable {
        rows = List.copyOf(rows);
    }

    /**
     * What became of one mutant.
     *
     * @param mutant which
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
            return kill == null
                    ? List.of(
                            mutant.name(),
                            promises(mutant.killers()),
                            mutant.profile().word(),
                            "survived",
                            number(histories),
                            "0",
                            "")
                    : List.of(
                            mutant.name(),
                            kill.guarantee().name(),
                            mutant.profile().word(),
                            number(kill.firstHistory()),
                            number(histories),
                            number(hitsPerTenThousand()),
                            kill.commands() == null ? "" : number(kill.commands()));
        }

        private static String promises(List<Guarantee> promises) {
            return promises.stream().map(Guarantee::name).collect(Collectors.joining(" or "));
        }

        /** With commas, in every locale. */
        private static String number(long number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
    }

    /**
     * How a mutant was found.
     *
     * @param guarantee the first of its promises that was seen broken
     * @param firstHistory the number of the history that has shown it, from 1 on
     * @param hits how many histories have shown it
     * @param commands how many the first of them needs after shrinking; null if it was not shrunk
     */
    public record Kill(
            Guarantee guarantee,
            int firstHistory,
            int hits,
            @Nullable Integer commands) {}

    /** Those that nobody has found. */
    public List<Mutant> survivors() {
        return rows.stream().filter(row -> row.kill() == null).map(Row::mutant).toList();
    }

    /** In columns, for a terminal. */
    public String text() {
        List<List<String>> lines = lines();
        int[] widths = new int[HEADINGS.size()];
        lines.forEach(line -> widen(widths, line));
        return joined(lines, line -> aligned(line, widths).stripTrailing());
    }

    private static void widen(int[] widths, List<String> line) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], line.get(i).length());
        }
    }

    private static String aligned(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - line.get(i).length());
            text.append(isNumber(i) ? padding + line.get(i) : line.get(i) + padding)
                    .append("  ");
        }
        return text.toString();
    }

    private static boolean isNumber(int column) {
        return column >= HEADINGS.indexOf("first history");
    }

    /** As a table for a page of documentation, with what each mistake is. */
    public String markdown() {
        List<String> dashes = new ArrayList<>();
        for (int i = 0; i < HEADINGS.size(); i++) {
            dashes.add(isNumber(i) ? "--:" : "---");
        }
        StringBuilder page = new StringBuilder(row(HEADINGS, "mistake")).append(row(dashes, "---"));
        rows.forEach(row -> page.append(row(row.cells(), row.mutant().what())));
        return page.toString();
    }

    private static String row(List<String> cells, String last) {
        return "| " + String.join(" | ", cells) + " | " + last + " |\n";
    }

    private List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEADINGS);
        rows.forEach(row -> lines.add(row.cells()));
        return lines;
    }

    private static String joined(List<List<String>> lines, Function<List<String>, String> text) {
        return lines.stream().map(text).collect(Collectors.joining("\n", "", "\n"));
    }
}
