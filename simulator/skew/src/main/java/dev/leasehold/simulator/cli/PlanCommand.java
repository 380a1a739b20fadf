package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.CheckerSetup;
import dev.leasehold.simulator.batch.Counterexample;
import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.HistoryPlayer;
import dev.leasehold.simulator.batch.HistoryPlayer.Outcome;
import dev.leasehold.simulator.batch.HistoryPlayer.Played;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.report.EventText;
import dev.leasehold.simulator.report.Report;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays a plan that is in a file, with the mutant that it may be about. */
abstract class PlanCommand implements Callable<Integer> {

    final Terminal terminal;
    private final Parts parts;

    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "plan.json or minimal.json of a report folder.")
    Path file;

    @ArgGroup
    private @Nullable WhichMutant which;

    static final class WhichMutant {

        @Option(
                names = "--mutant",
                paramLabel = "NAME",
                description = "Plants this mutant; 'mutants' lists them. Default: the one that the file names, if any.")
        private @Nullable Mutant mutant;

        @Option(names = "--no-mutant", description = "Plants none, whatever the file names.")
        private boolean none;
    }

    private PlanCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        SavedPlan saved;
        try {
            saved = SavedPlan.read(file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        Plan plan = saved.plan();
        Mutant mutant = which == null ? saved.mutant() : which.mutant;
        checkTarget();
        ResultPrinter results = ResultPrinter.begin(terminal, mutant);
        Threads.expectWorlds(1);
        CheckerSetup setup = parts.setup(plan, mutant);
        Played played = HistoryPlayer.play(setup, plan);
        String remark = show(results, setup, mutant, played);
        Failure failure = played.failure();
        ExitStatus status = ExitStatus.of(failure == null ? List.of() : List.of(failure), List.of());
        results.end(status.words() + remark, again());
        return status.code();
    }

    ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** A place that cannot be written to is refused before anything is played. */
    abstract void checkTarget() throws IOException;

    /** Shows what came of the plan. Returns what is to be added to the verdict. */
    abstract String show(ResultPrinter results, CheckerSetup setup, @Nullable Mutant mutant, Played played)
            throws InterruptedException;

    String again() {
        return CommandText.again(spec, "", "--report", "--trace");
    }

    @Command(name = "replay", description = "Plays a plan again, and checks it.", mixinStandardHelpOptions = true)
    static final class Replay extends PlanCommand {

        @Option(names = "--trace", description = "Prints every event.")
        private boolean trace;

        @Option(
                names = "--report",
                paramLabel = "DIR",
                description = "Writes a report folder, apart from that of the plan.")
        private @Nullable Path report;

        Replay(Parts parts, Terminal terminal) {
            super(parts, terminal);
        }

        /** A report must neither be written over the plan, nor stand beside a shrunk plan of something else. */
        @Override
        void checkTarget() throws IOException {
            if (report == null) {
                return;
            }
            if (Report.replaces(file, report)) {
                throw refused("--report " + report + " is refused: the plan would be written over");
            }
            if (Report.hasMinimalPlan(report)) {
                throw refused("--report " + report + " is refused: it has the report of a run");
            }
            Terminal.makeFolder(report);
        }

        @Override
        String show(ResultPrinter results, CheckerSetup setup, @Nullable Mutant mutant, Played played) {
            Outcome outcome = played.outcome();
            Failure failure = played.failure();
            if (outcome != null && trace) {
                terminal.out().print(EventText.of(outcome.history()));
            }
            if (outcome != null) {
                results.print(outcome, played.fingerprint());
            }
            if (outcome != null && report != null) {
                Violation violation = failure != null && failure.violation() != null
                        ? failure.violation()
                        : outcome.verdict().first();
                results.write(
                        report, Report.ofKeptPlan(violation, mutant, outcome.history(), outcome.verdict(), again()));
            }
            // Which invariants were broken was printed with all the others that were.
            if (failure != null && failure.violation() == null) {
                results.print(failure);
            }
            return "";
        }
    }

    @Command(
            name = "shrink",
            description = "Finds the smallest plan that breaks the same invariant as a plan that is kept.",
            mixinStandardHelpOptions = true)
    static final class Shrink extends PlanCommand {

        @Option(names = "-o", paramLabel = "FILE", description = "Where to. Default: it is printed.")
        private @Nullable Path target;

        Shrink(Parts parts, Terminal terminal) {
            super(parts, terminal);
        }

        @Override
        void checkTarget() throws IOException {
            if (target == null) {
                return;
            }
            Path folder = target.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new NoSuchFileException(target.toString());
            }
            if (Files.isDirectory(target)) {
                throw new FileSystemException(target.toString(), null, "it is a folder");
            }
        }

        @Override
        String show(ResultPrinter results, CheckerSetup setup, @Nullable Mutant mutant, Played played)
                throws InterruptedException {
            Failure failure = played.failure();
            if (failure == null) {
                return "; there is nothing to be shrunk";
            }
            results.print(failure);
            if (failure.violation() != null) {
                Counterexample example = Counterexample.of(setup, failure);
                results.print(example);
                keep(MutantNote.with(PlanCodec.toJson(example.minimal()), mutant));
            }
            return "";
        }

        private void keep(String json) {
            if (target == null || !terminal.write("written", target, () -> Files.writeString(target, json))) {
                terminal.print(json);
            }
        }
    }
}
