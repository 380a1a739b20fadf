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
        /**
         * The entry of this engine's session was removed from the clock document, although by this engine's clocks the
         * session was not over. Another engine did so if this machine stood still, clocks and all, or if a clock runs
         * faster or slower than the drift bound allows. Otherwise it was removed by hand.
         */
        EVICTED,
        /** The document of the lease was deleted while it was held, which no engine does. */
        LEASE_DOCUMENT_LOST,
        /**
         * The clock document of the lease's partition was deleted, or an older one was put in its place; or the
         * collection was dropped or renamed. So other engines cannot know what this one holds.
         */
        CLOCK_DOCUMENT_LOST,
        /** Renewals failed until the granted time had passed. */
        NOT_RENEWED,
        /**
         * The wall clock moved on by more than the granted time and the monotonic clock did not, by more than clocks
         * within the drift bound can differ: the machine was suspended, or its wall clock was set forward. Or a stored
         * stamp of this engine is ahead of its clock: the process was cloned, or restored from a snapshot.
         */
        CLOCK_ANOMALY,
        /** It was held for as long as {@link LeaseRequest#atMost} allows. The engine releases it. */
        HELD_TOO_LONG,
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
