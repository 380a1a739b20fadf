package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.EngineHealth;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an engine says of its own state. Asks nobody but this process; safe for many threads, if what it is given is. */
public final class HealthReport {

    private final List<Part> parts;
    private final Supplier<@Nullable String> closed;
    private final IntSupplier held;
    private final IntSupplier waiting;

    /**
     * A partition of the engine's namespace.
     *
     * @param name for messages
     * @param storeHealth of the engine with the database about it
     * @param inDoubt whether the outcome of a write is unknown, so that nothing else can be written in it
     */
    public record Part(String name, StoreHealth storeHealth, BooleanSupplier inDoubt) {

        /** What is wrong with it; empty if all is well. */
        private String troubles() {
            return Stream.of(doubt(), storeHealth.failure())
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("; "));
        }

        private @Nullable String doubt() {
            return inDoubt.getAsBoolean()
                    ? "the outcome of a write is not known yet, and no other can be made until it is"
                    : null;
        }
    }

    /**
     * Health of one engine.
     *
     * @param parts the partitions of its namespace, at least one
     * @param closed why it is closed; null while it is open
     * @param held how many tenures its handles hold
     * @param waiting how many acquisitions wait
     */
    public HealthReport(List<Part> parts, Supplier<@Nullable String> closed, IntSupplier held, IntSupplier waiting) {
        this.parts = parts;
        this.closed = closed;
        this.held = held;
        this.waiting = waiting;
    }

    /** As it is at this moment. */
    public EngineHealth now() {
        @Nullable String end = closed.get();
        String trouble = Objects.requireNonNullElseGet(end, this::troubles);
        return new EngineHealth(
                trouble.isEmpty(),
                end == null,
                trouble.isEmpty() ? "all is well" : trouble,
                held.getAsInt(),
                waiting.getAsInt());
    }

    /** One partition in trouble is enough: a lease may lie in any. When the database is away all say the same, so one speaks. */
    private String troubles() {
        String first = "";
        int troubled = 0;
        for (Part part : parts) {
            String troubles = part.troubles();
            if (!troubles.isEmpty()) {
                first = first.isEmpty() ? inWords(part, troubles) : first;
                troubled++;
            }
        }
        return troubled < 2 ? first : first + "; partitions in trouble: " + troubled + " of " + parts.size();
    }

    private String inWords(Part part, String troubles) {
        return parts.size() == 1 ? troubles : "partition '" + part.name() + "': " + troubles;
    }
}
