package dev.leasehold.engine.meters;

import dev.leasehold.engine.EngineHealth;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an engine says of its own state. Asks nobody but this process; safe for many threads, if what it is given is. */
public final class Health {

    private final Dealings dealings;
    private final BooleanSupplier inDoubt;
    private final BooleanSupplier closed;
    private final IntSupplier held;
    private final IntSupplier waiting;

    /**
     * Health of one engine.
     *
     * @param dealings of the engine with its database
     * @param inDoubt whether the outcome of a write is unknown, so that nothing else can be written
     * @param closed whether it was closed
     * @param held how many tenures its handles hold
     * @param waiting how many acquisitions wait
     */
    public Health(
            Dealings dealings, BooleanSupplier inDoubt, BooleanSupplier closed, IntSupplier held, IntSupplier waiting) {
        this.dealings = dealings;
        this.inDoubt = inDoubt;
        this.closed = closed;
        this.held = held;
        this.waiting = waiting;
    }

    /** As it is at this moment. */
    public EngineHealth now() {
        String trouble = closed.getAsBoolean() ? "the engine is closed" : troubles();
        return new EngineHealth(
                trouble.isEmpty(), trouble.isEmpty() ? "all is well" : trouble, held.getAsInt(), waiting.getAsInt());
    }

    private String troubles() {
        return Stream.of(doubt(), dealings.trouble()).filter(Objects::nonNull).collect(Collectors.joining("; "));
    }

    private @Nullable String doubt() {
        return inDoubt.getAsBoolean() ? "the outcome of a write is not known yet, and no other can be made until it is" : null;
    }
}
