package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder of plans, each of which shows the mutant, or once showed the bug, that it is named after. */
public record SavedPlans(Path folder) {

    private static final Path ALL = Path.of("src", "test", "resources", "dev", "leasehold", "simulator", "plans");
    private static final String SUFFIX = ".json";

    /** Of bugs that this engine had. */
    public static final SavedPlans PAST = new SavedPlans(ALL);

    /** Of mutants that a build has no time to search for. */
    static final SavedPlans RARE = new SavedPlans(ALL.resolve("rare"));

    List<String> names() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name) {
        return folder.resolve(name + SUFFIX);
    }

    boolean has(String name) {
        return Files.exists(file(name));
    }

    Plan plan(String name) {
        try {
            return PlanCodec.fromJson(MutantNote.without(Files.readString(file(name))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
