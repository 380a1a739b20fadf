package dev.leasehold.engine;

import dev.leasehold.assertions.Tenure;
import org.jspecify.annotations.Nullable;

/**
 * The end of a tenure that its holder did not ask for.
 *
 * @param tenure what was lost
 * @param reason in one word, for programs
 * @param message why, in one sentence for people; the lease is named by the tenure alone. May change in any version
 * @param cause why it could not be renewed, if that was the reason and it is known; null otherwise
 */
public record LeaseLoss(
        Tenure tenure,
        Reason reason,
        String message,
        @Nullable Throwable cause) {

    /** Why a lease was lost. */
    public enum Reason {
        /** The time for which it was granted has passed on this engine's clock without a renewal: the process was paused. */
        EXPIRED,
        /**
         * Somebody ended the tenure without its handle: a release through any engine, an operator, or a process that came back under the
         * same holder name and {@linkplain LeaseRequest#supersede(boolean) superseded} this one.
         */
        TAKEN_OVER,
        /** The engine's session was ended by others, who could be certain that its time was over. */
        EVICTED,
        /** Renewals failed until the time for which it was granted had passed. */
        NOT_RENEWED,
        /**
         * Time of day has moved on by more than the granted time although the monotonic clock has not, by more than two clocks
         * within the drift bound can differ: the machine was suspended, or its time of day was set forward. Or the time that the
         * database has of this engine is ahead of the engine's clock: the process was cloned, or restored from a snapshot.
         */
        CLOCK_ANOMALY,
        /** The engine was closed; or the {@link LeaderElection} was closed, or its leader has stepped down. */
        CLOSED,
        /**
         * An {@link Error}, such as out of memory, stack overflow or linkage, was thrown in one of the engine's threads. The engine has
         * closed itself, and the error is the cause. Build a new engine, or better: end the process.
         */
        ENGINE_FAILED
    }
}
