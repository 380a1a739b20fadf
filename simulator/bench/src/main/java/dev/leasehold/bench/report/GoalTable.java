package dev.leasehold.bench.report;

import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Unit;
import dev.leasehold.bench.measure.Verdict;
import dev.leasehold.bench.row.Outcome;
import java.util.List;

/** All goals, and what came of them. */
final class GoalTable {

    private final MarkdownTable table = new MarkdownTable(List.of("goal", "row", "measured", "verdict"));

    GoalTable(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            outcome.verdicts()
                    .forEach(verdict -> table.add(line(outcome.heading().name(), verdict)));
        }
    }

    private static List<String> line(String row, Verdict verdict) {
        String link = "[" + row + "](#" + row + ")";
        return verdict instanceof Verdict.Judged judged
                ? List.of(
                        judged.goal().words(),
                        link,
                        measured(judged),
                        judged.isMet() ? judged.words() : "**" + judged.words() + "**")
                : List.of(verdict.goal().words(), link, "", verdict.words());
    }

    /** A goal that is a value is judged by a value, any other by a ratio. */
    private static String measured(Verdict.Judged judged) {
        return judged.goal().peer() instanceof Peer.Fixed
                ? judged.values()
                : Figures.spread(judged.ratio(), Unit::number);
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
