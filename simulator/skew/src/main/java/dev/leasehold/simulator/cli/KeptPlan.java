package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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

    @Option(names = "--bug", paramLabel = "NAME", converter = BugName.class, description = "Plants this bug; 'bugs' lists them.")
    private @Nullable PlantedBug bug;

    Plan plan() {
        try {
            return PlanCodec.fromJson(Files.readString(file));
        } catch (IOException e) {
            throw refused("plan " + file + " is refused: it cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            throw refused("plan " + file + " is refused: " + e.getMessage(), e);
        }
    }

    private ParameterException refused(String message, Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }

    /** On which every promise counts, unless there is a bug that only some have to find. */
    Bench bench(Parts parts) {
        return new Bench(
                seed -> plan(), () -> parts.runner(bug), parts::judge, bug == null ? promise -> true : bug::isKilledBy);
    }

    String command(String name) {
        return Commands.JAR + " " + name + " " + file + (bug == null ? "" : " --bug " + bug.name());
    }
}
