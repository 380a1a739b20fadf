package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.bugs.BugNote;
import dev.leasehold.simulator.bugs.PlantedBug;
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

/** A plan in a file, and the bug that it may be about. */
final class KeptPlan {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "plan.json or minimal.json of a report folder.")
    private Path file;

    @ArgGroup
    private @Nullable Mistake mistake;

    /** Which mistake is made in the engine. */
    static final class Mistake {

        @Option(
                names = "--bug",
                paramLabel = "NAME",
                converter = BugName.class,
                description = "Plants this bug; 'bugs' lists them. Default: the one that the file names, if any.")
        private @Nullable PlantedBug bug;

        @Option(names = "--no-bug", description = "Plants none, whatever the file names.")
        private boolean none;
    }

    /**
     * What is in the file, and what was asked for.
     *
     * @param plan to be played
     * @param bug to be planted; null for none
     */
    record Content(Plan plan, @Nullable PlantedBug bug) {

        /** On which every promise counts, unless there is a bug that only some have to find. */
        Bench bench(Parts parts) {
            return new Bench(
                    seed -> plan,
                    () -> parts.runner(bug),
                    parts::judge,
                    bug == null ? promise -> true : bug::isKilledBy);
        }
    }

    Content read() {
        try {
            String text = Files.readString(file);
            return new Content(
                    PlanCodec.fromJson(BugNote.without(text)), mistake == null ? BugNote.in(text) : mistake.bug);
        } catch (IOException e) {
            throw refused("plan " + file + " is refused: it cannot be read: " + Words.of(e), e);
        } catch (IllegalArgumentException e) {
            throw refused("plan " + file + " is refused: " + e.getMessage(), e);
        }
    }

    /** A report about the plan must neither be written over it, nor stand beside a shrunk plan of something else. */
    void requireApartFrom(Path report) throws IOException {
        if (ReportFolder.isReplaced(file, report)) {
            throw refused("--report " + report + " is refused: the plan would be written over", null);
        }
        if (ReportFolder.hasMinimalPlan(report)) {
            throw refused("--report " + report + " is refused: it has the report of a run", null);
        }
    }

    private ParameterException refused(String message, @Nullable Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }

    String command(String name) {
        PlantedBug bug = mistake == null ? null : mistake.bug;
        return Commands.JAR + " " + name + " " + Commands.quoted(file)
                + (mistake == null ? "" : bug == null ? " --no-bug" : " --bug " + bug.name());
    }
}
