package dev.leasehold.simulator.cli;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.simulator.batch.Batch;
import dev.leasehold.simulator.batch.Counterexample;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.HistoryPlayer.Outcome;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.report.Report;
import dev.leasehold.simulator.report.Statistics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints what came of histories, and writes reports about it. */
final class ResultPrinter {

    private static final double SECOND_NANOS = 1e9;

    private final Terminal terminal;
    private final long startNanos = System.nanoTime();

    private ResultPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Prints what is played, in front of all else. */
    static ResultPrinter begin(Terminal terminal, @Nullable Mutant mutant, String... lines) {
        terminal.print(Main.Version.line());
        for (String line : lines) {
            terminal.print(line);
        }
        terminal.print(mutant == null ? "no mutant" : "mutant " + mutant.name() + ": " + mutant.what());
        return new ResultPrinter(terminal);
    }

    private double seconds() {
        return (System.nanoTime() - startNanos) / SECOND_NANOS;
    }

    static String histories(long number) {
        return number + (number == 1 ? " history" : " histories");
    }

    void print(Batch.Result result) {
        double seconds = seconds();
        Statistics statistics = result.statistics();
        terminal.print("");
        terminal.print(String.format(
                Locale.ROOT,
                "%s in %.1f s, %.0f/s; %.0f s simulated",
                histories(result.histories()),
                seconds,
                result.histories() / Math.max(seconds, 1e-3),
                statistics.simulatedSeconds()));
        terminal.print("overlaps of validity outside of the assumptions: " + statistics.overlaps());
        terminal.print("fingerprint of those played twice: " + Long.toHexString(result.fingerprint()));
    }

    void print(Failure failure) {
        terminal.print("");
        terminal.print("history " + (failure.index() + 1) + ", seed "
                + failure.plan().seed() + ": " + LeaseNames.visible(failure.words()));
        if (failure.thrown() != null) {
            failure.thrown().printStackTrace(terminal.err());
            terminal.err().flush();
        }
    }

    void print(Counterexample example) {
        terminal.print("shrunk from " + example.failure().plan().commands().size() + " commands to "
                + example.minimal().commands().size() + ": "
                + LeaseNames.visible(example.violation().sentence()));
    }

    void print(Outcome outcome, long hash) {
        terminal.print(outcome.history().events().size() + " events, fingerprint " + Long.toHexString(hash));
        for (Violation violation : outcome.verdict().violations()) {
            terminal.print(violation.guarantee() + ": " + LeaseNames.visible(violation.sentence()));
        }
    }

    /** Returns whether it was written. */
    boolean write(Path folder, Report report) {
        return terminal.write("report", folder.resolve("timeline.html"), () -> report.write(folder, seconds()));
    }

    /** Of a batch in which nothing failed, figures are all there is. */
    void write(Path folder, Statistics statistics) {
        Path file = folder.resolve("stats.json");
        terminal.write("report", file, () -> Files.writeString(file, statistics.json(seconds())));
    }

    /** The last lines: what to conclude, and the command that repeats it. */
    void end(String verdict, String again) {
        terminal.print("");
        terminal.print("verdict: " + verdict);
        terminal.print("again: " + again);
    }
}
