package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.BatchResult;
import dev.leasehold.simulator.batch.Case;
import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.Played;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.report.Finding;
import dev.leasehold.simulator.report.ReportFolder;
import dev.leasehold.simulator.report.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells what came of histories. */
final class Tale {

    private final Terminal terminal;
    private final double seconds;

    /**
     * Will tell it there.
     *
     * @param seconds how long it took to play; 0 when that is of no interest
     */
    Tale(Terminal terminal, double seconds) {
        this.terminal = terminal;
        this.seconds = seconds;
    }

    void tellFigures(BatchResult result) {
        Statistics statistics = result.statistics();
        terminal.print("");
        terminal.print(Words.count(result.histories(), "history", "histories") + " in " + Words.tenths(seconds) + " s, "
                + (long) (result.histories() / Math.max(seconds, 1e-3)) + "/s; " + (long) statistics.simulatedSeconds()
                + " s simulated");
        terminal.print("overlaps of belief outside of the promises: " + statistics.overlaps());
        terminal.print("fingerprint of those played twice: " + Long.toHexString(result.fingerprint()));
    }

    void tell(Failure failure) {
        terminal.print("");
        terminal.print(
                "history " + (failure.index() + 1) + ", seed " + failure.plan().seed() + ": " + words(failure));
        if (failure instanceof Failure.Crashed crashed) {
            crashed.thrown().printStackTrace(terminal.err());
            terminal.err().flush();
        }
    }

    private static String words(Failure failure) {
        if (failure instanceof Failure.Broken broken) {
            return broken.violation().guarantee() + " is broken. "
                    + broken.violation().sentence();
        }
        if (failure instanceof Failure.Unrepeatable unrepeatable) {
            return "played twice, it went in two ways: " + unrepeatable.difference();
        }
        return "could not be played: " + ((Failure.Crashed) failure).thrown();
    }

    void tell(Case found) {
        terminal.print("shrunk from "
                + Words.count(found.failure().plan().commands().size(), "command", "commands") + " to "
                + found.minimal().commands().size() + ": " + found.violation().sentence());
    }

    void write(Path folder, Case found, @Nullable Mutant mutant, Statistics statistics, String command)
            throws IOException {
        String plan = PlanCodec.toJson(found.failure().plan());
        String minimal = PlanCodec.toJson(found.minimal());
        Guarantee guarantee = found.violation().guarantee();
        write(
                folder,
                new Finding(guarantee, mutant, plan, minimal, found.history(), found.verdict(), statistics, command));
    }

    /** Of a plan that somebody kept. */
    void write(Path folder, Played played, @Nullable Mutant mutant, String command) throws IOException {
        History history = Objects.requireNonNull(played.history());
        Verdict verdict = Objects.requireNonNull(played.verdict());
        Statistics statistics = new Statistics();
        statistics.add(history, verdict);
        Violation violation = played.failure() instanceof Failure.Broken broken ? broken.violation() : verdict.first();
        Guarantee guarantee = violation == null ? null : violation.guarantee();
        write(
                folder,
                new Finding(
                        guarantee,
                        mutant,
                        PlanCodec.toJson(history.plan()),
                        null,
                        history,
                        verdict,
                        statistics,
                        command));
    }

    private void write(Path folder, Finding finding) throws IOException {
        ReportFolder.write(folder, finding, seconds);
        terminal.print("report: " + folder.resolve("timeline.html"));
    }

    /** Of a batch in which nothing failed, figures are all there is. */
    void write(Path folder, Statistics statistics) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("stats.json");
        Files.writeString(file, statistics.json(seconds));
        terminal.print("report: " + file);
    }

    void conclude(Ending ending, @Nullable Mutant mutant, BatchResult result, List<String> missing) {
        terminal.print("");
        if (ending == Ending.BLIND && mutant == null) {
            terminal.print("never reached: " + String.join(", ", missing));
        }
        terminal.print("verdict: " + verdict(ending, mutant) + " ("
                + Words.count(result.histories(), "history", "histories")
                + (result.failures().isEmpty() ? "" : ", " + result.failures().size() + " failed") + ")");
    }

    private static String verdict(Ending ending, @Nullable Mutant mutant) {
        if (mutant == null) {
            return Words.of(ending);
        }
        return switch (ending) {
            case HELD, BLIND -> "the mutant " + mutant.name() + " survived";
            case UNSAFE, NOT_LIVE -> "the mutant " + mutant.name() + " was found: " + Words.of(ending);
            case NOT_DETERMINISTIC, CRASHED -> Words.of(ending);
        };
    }
}
