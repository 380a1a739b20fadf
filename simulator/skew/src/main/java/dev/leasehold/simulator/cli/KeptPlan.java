package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.report.ReportFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** A plan in a file, and the mutant that it may be about. */
final class KeptPlan {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "plan.json or minimal.json of a report folder.")
    private Path file;

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

    /**
     * What is in the file, and what was asked for.
     *
     * @param mutant to be planted; null for none
     */
    record Content(Plan plan, @Nullable Mutant mutant) {}

    Content read() {
        try {
            String text = Files.readString(file);
            Plan plan = PlanCodec.fromJson(MutantNote.without(text));
            return new Content(plan, which == null ? MutantNote.in(text) : which.mutant);
        } catch (IOException e) {
            throw refused("plan " + file + " is refused: it cannot be read: " + Main.problem(e));
        } catch (IllegalArgumentException e) {
            throw refused("plan " + file + " is refused: " + e.getMessage());
        }
    }

    /** A report about the plan must neither be written over it, nor stand beside a shrunk plan of something else. */
    void requireApartFrom(Path report) throws IOException {
        if (ReportFolder.isReplaced(file, report)) {
            throw refused("--report " + report + " is refused: the plan would be written over");
        }
        if (ReportFolder.hasMinimalPlan(report)) {
            throw refused("--report " + report + " is refused: it has the report of a run");
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
