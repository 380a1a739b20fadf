package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.time.EngineClock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How the last dealing of an engine with its database went, and for how long the present one has been under way. Safe for many
 * threads, of which one at a time deals with the database; never blocks.
 */
public final class StoreHealth {

    private static final long SECOND_NANOS = 1_000_000_000;

    private final EngineClock clock;
    private final long patienceNanos;
    private final AtomicReference<@Nullable Trouble> failure = new AtomicReference<>();
    private volatile @Nullable Long begunNanos;

    private record Trouble(String message, long sinceNanos) {}

    /**
     * All is well so far.
     *
     * @param patienceNanos after which a dealing that has not ended is trouble too
     */
    public StoreHealth(EngineClock clock, long patienceNanos) {
        this.clock = clock;
        this.patienceNanos = patienceNanos;
    }

    /** Something is asked of the database. */
    void begin() {
        begunNanos = clock.monotonicNanos();
    }

    /** The database answered, with a yes or with a no. */
    void succeeded() {
        begunNanos = null;
        failure.set(null);
    }

    /** It answered, in a way that tells nothing about how it is otherwise. */
    void answered() {
        begunNanos = null;
    }

    /** It did not answer, or could not do what was asked. */
    void failed(@Nullable Throwable cause) {
        begunNanos = null;
        String message =
                cause == null ? "no cause is known" : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
        long nowNanos = clock.monotonicNanos();
        failure.updateAndGet(before -> new Trouble(message, before == null ? nowNanos : before.sinceNanos()));
    }

    /** For how long the database has owed an answer; 0 when it owes none. */
    public long unansweredNanos() {
        Long begun = begunNanos;
        return begun == null ? 0 : clock.monotonicNanos() - begun;
    }

    /** What is wrong and for how long it has been, in words; null when the last dealing went well, and the present one may yet. */
    public @Nullable String failure() {
        Trouble present = failure.get();
        if (present != null) {
            long seconds = (clock.monotonicNanos() - present.sinceNanos()) / SECOND_NANOS;
            return "dealings with the database have failed for " + seconds + " s, the last with: " + present.message();
        }
        long unansweredNanos = unansweredNanos();
        return unansweredNanos > patienceNanos ? noAnswerFor(unansweredNanos) : null;
    }

    /** An answer that does not come, in words. */
    public static String noAnswerFor(long nanos) {
        return "the database has not answered for " + nanos / SECOND_NANOS + " s";
    }
}
