package dev.leasehold.engine.meters;

import dev.leasehold.engine.time.EngineClock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How the last dealing of an engine with its database went. Safe for many threads; never blocks. */
public final class Dealings {

    private final EngineClock clock;
    private final AtomicReference<@Nullable Trouble> trouble = new AtomicReference<>();

    private record Trouble(String message, long sinceNanos) {}

    /** All is well so far. */
    public Dealings(EngineClock clock) {
        this.clock = clock;
    }

    /** The database answered, with a yes or with a no. */
    void wentWell() {
        trouble.set(null);
    }

    /** It did not answer, or could not do what was asked. */
    void failed(@Nullable Throwable cause) {
        String message = cause == null ? "no cause is known" : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
        long nowNanos = clock.monotonicNanos();
        trouble.updateAndGet(before -> new Trouble(message, before == null ? nowNanos : before.sinceNanos()));
    }

    /** What is wrong and for how long it has been, in words; null when the last dealing went well. */
    public @Nullable String trouble() {
        Trouble present = trouble.get();
        if (present == null) {
            return null;
        }
        long seconds = (clock.monotonicNanos() - present.sinceNanos()) / 1_000_000_000;
        return "dealings with the database have failed for " + seconds + " s, the last with: " + present.message();
    }
}
