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
        /** The granted time has passed on this engine's clock without a renewal: the process was paused. */
        EXPIRED,
        /**
         * The tenure was ended without its handle: by a release through any engine, by an operator, or by a process
         * that came back under the same holder name and {@linkplain LeaseRequest#supersede(boolean) superseded} this
         * one.
         */
        TAKEN_OVER,
        /** Another engine was certain that the time of this engine's session was over, and ended it. */
        EVICTED,
        /** Renewals failed until the granted time had passed. */
        NOT_RENEWED,
        /**
         * The wall clock moved on by more than the granted time and the monotonic clock did not, by more than clocks
         * within the drift bound can differ: the machine was suspended, or its wall clock was set forward. Or a stored
         * stamp of this engine is ahead of its clock: the process was cloned, or restored from a snapshot.
         */
        CLOCK_ANOMALY,
        /** The engine was closed, the {@link LeaderElection} was closed, or its leader stepped down. */
        CLOSED,
        /**
         * An {@link Error}, such as out of memory, stack overflow or linkage, was thrown in a thread of the engine. The
         * engine has closed itself, and the error is the cause. End the process. Leases of the engine's session are free at
         * once; one with a term of its own is not released, and runs out.
         */
        ENGINE_FAILED
    }
}
