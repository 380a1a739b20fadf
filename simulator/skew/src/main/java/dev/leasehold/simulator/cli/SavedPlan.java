package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plan that is in a file.
 *
 * @param mutant with which it breaks an invariant, as the file says
 */
record SavedPlan(Plan plan, @Nullable Mutant mutant) {

    private static final String SUFFIX = ".json";

    /**
     * Reads a plan.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has no valid plan; the message names the file
     */
    static SavedPlan read(Path file) {
        try {
            String text = Files.readString(file);
            return new SavedPlan(PlanCodec.fromJson(MutantNote.without(text)), MutantNote.in(text));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "plan " + file + " is refused: it cannot be read: " + Main.problem(e), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("plan " + file + " is refused: " + e.getMessage(), e);
        }
    }

    /**
     * Reads all plans of a folder and of the folders in it, in the order of their names.
     *
     * @throws IllegalArgumentException if the folder cannot be read, has no plan, or has one that is refused
     */
    static List<Plan> readAll(Path folder) {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "corpus " + folder + " is refused: it cannot be read: " + Main.problem(e), e);
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException(
                    "corpus " + folder + " is refused: it has no plan, which is a file *" + SUFFIX);
        }
        List<Plan> plans = new ArrayList<>();
        files.forEach(file -> plans.add(read(file).plan()));
        return plans;
    }
}
