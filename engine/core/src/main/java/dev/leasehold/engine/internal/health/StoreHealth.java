package dev.leasehold.engine.internal.health;

import dev.leasehold.engine.internal.time.EngineClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the last command to the database ended, and for how long the present one has been unanswered. Safe for many threads, of which
 * one at a time sends commands; never blocks.
 */
public final class StoreHealth {

    private static final long SECOND_NANOS = 1_000_000_000;

    private final EngineClock clock;
    private final long unansweredNanosMax;
    private volatile @Nullable Failure failure;
    private volatile @Nullable Long begunNanos;

    /** The newest failure of a row, and when the first of the row was. */
    private record Failure(String message, long sinceNanos) {}

    /**
     * No command was sent yet.
     *
     * @param unansweredNanosMax after which a command without an answer counts as failed too
     */
    public StoreHealth(EngineClock clock, long unansweredNanosMax) {
        this.clock = clock;
        this.unansweredNanosMax = unansweredNanosMax;
    }

    /** A command is sent. */
    void begin() {
        begunNanos = clock.monotonicNanos();
    }

    /** The database answered, and the answer shows that it works. */
    void succeeded() {
        begunNanos = null;
        failure = null;
    }

    /** The database answered, and the answer does not show whether it works otherwise. */
    void answered() {
        begunNanos = null;
    }

    /** The database did not answer, or could not carry out the command. */
    void failed(@Nullable Throwable cause) {
        begunNanos = null;
        String message =
                cause == null ? "no cause is known" : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
        long nowNanos = clock.monotonicNanos();
        Failure before = failure;
        failure = new Failure(message, before == null ? nowNanos : before.sinceNanos());
    }

    /** Whether a command has been sent that is not answered yet. */
    public boolean isUnanswered() {
        return begunNanos != null;
    }

    /** For how long the present command has been unanswered; 0 if there is none. */
    public long unansweredNanos() {
        Long begun = begunNanos;
        return begun == null ? 0 : clock.monotonicNanos() - begun;
    }

    /** What is wrong and for how long, in words; null if the last command succeeded and the present one is not overdue. */
    public @Nullable String failure() {
        Failure present = failure;
        if (present != null) {
            long seconds = (clock.monotonicNanos() - present.sinceNanos()) / SECOND_NANOS;
            return "dealings with the database have failed for " + seconds + " s, the last with: " + present.message();
        }
        long unansweredNanos = unansweredNanos();
        return unansweredNanos > unansweredNanosMax ? noAnswerFor(unansweredNanos) : null;
    }

    /** A missing answer, in words. */
    public static String noAnswerFor(long nanos) {
        return "the database has not answered for " + nanos / SECOND_NANOS + " s";
    }
}
