package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.EngineHealth;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of one engine, from what this process knows. Does no I/O; safe for many threads if its suppliers are.
 *
 * @param closed why the engine is closed; null while it is open
 */
public record HealthReport(List<Part> parts, Supplier<@Nullable String> closed, IntSupplier held, IntSupplier waiting) {

    /**
     * A partition of the namespace.
     *
     * @param outcomeUnknown whether the outcome of a write is unknown, so that nothing else can be written
     */
    public record Part(String name, StoreHealth storeHealth, BooleanSupplier outcomeUnknown) {

        /** What is wrong with it; null if nothing is. */
        private @Nullable String problem() {
            String failure = storeHealth.failure();
            if (!outcomeUnknown.getAsBoolean()) {
                return failure;
            }
            String unknown = "the outcome of a write is not known yet, and no other can be made until it is";
            return failure == null ? unknown : unknown + "; " + failure;
        }
    }

    /** At this moment. */
    public EngineHealth now() {
        String whyClosed = closed.get();
        String problem = whyClosed == null ? problem() : whyClosed;
        return new EngineHealth(
                problem == null,
                whyClosed == null,
                problem == null ? "all is well" : problem,
                held.getAsInt(),
                waiting.getAsInt());
    }

    /**
     * A problem of one partition is one of the engine, since a lease may lie in any. In an outage all report the same, so
     * only the first is quoted.
     */
    private @Nullable String problem() {
        String first = null;
        int affected = 0;
        for (Part part : parts) {
            String problem = part.problem();
            if (problem != null) {
                affected++;
                if (first == null) {
                    first = parts.size() == 1 ? problem : "partition '" + part.name() + "': " + problem;
                }
            }
        }
        return affected < 2 ? first : first + "; partitions in trouble: " + affected + " of " + parts.size();
    }
}
