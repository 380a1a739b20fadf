package dev.leasehold.engine.internal.health;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.EngineHealth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The health of one engine, from what this process knows at one moment. */
public final class HealthReport {

    private HealthReport() {}

    /**
     * A partition of the namespace.
     *
     * @param storeFailure what is wrong with its store; null if nothing is
     * @param outcomeUnknown whether the outcome of a write is unknown, so that nothing else can be written
     */
    public record Part(String name, @Nullable String storeFailure, boolean outcomeUnknown) {

        /** What is wrong with it; null if nothing is. */
        private @Nullable String problem() {
            if (!outcomeUnknown) {
                return storeFailure;
            }
            String unknown = "the outcome of a write is not known yet, and no other can be made until it is";
            return storeFailure == null ? unknown : unknown + "; " + storeFailure;
        }
    }

    /** @param whyClosed null while the engine is open */
    public static EngineHealth of(List<Part> parts, @Nullable String whyClosed, int held, int waiting) {
        String problem = whyClosed == null ? problem(parts) : whyClosed;
        return new EngineHealth(
                problem == null, whyClosed == null, problem == null ? "all is well" : problem, held, waiting);
    }

    /**
     * A problem of one partition is one of the engine, since a lease may lie in any. In an outage all report the same, so
     * only the first is quoted.
     */
    private static @Nullable String problem(List<Part> parts) {
        String first = null;
        int affected = 0;
        for (Part part : parts) {
            String problem = part.problem();
            if (problem != null) {
                affected++;
                if (first == null) {
                    first = parts.size() == 1 ? problem : "partition " + LeaseNames.quote(part.name()) + ": " + problem;
                }
            }
        }
        return affected < 2 ? first : first + "; partitions in trouble: " + affected + " of " + parts.size();
    }
}
