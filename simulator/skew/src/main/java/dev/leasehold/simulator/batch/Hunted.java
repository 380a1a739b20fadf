package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.report.Statistics.Kill;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What came of the hunt for a planted bug.
 *
 * @param bug which bug
 * @param histories how many were played
 * @param kill how it was found; null when it was not
 * @param failure that ended the hunt and is no broken promise; null when there was none
 */
public record Hunted(PlantedBug bug, long histories, @Nullable Kill kill, @Nullable Failure failure) {

    /** How a hunt for these ends. */
    public static Ending ending(List<Hunted> hunted) {
        List<Failure> failures = hunted.stream().map(Hunted::failure).flatMap(Stream::ofNullable).toList();
        List<String> survivors = hunted.stream().filter(it -> it.kill() == null).map(it -> it.bug().name()).toList();
        return Ending.of(failures, survivors);
    }
}
