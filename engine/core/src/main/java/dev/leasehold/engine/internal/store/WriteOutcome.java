package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.LeaseException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a write.
 *
 * @param cause null if the verdict says everything
 */
public record WriteOutcome(Verdict verdict, @Nullable LeaseException cause) {

    /** What is known about a write. Only {@link #UNKNOWN} leaves open whether it happened. */
    public enum Verdict {
        /** Written, and acknowledged by a majority. */
        APPLIED,
        /** A guard missed, or the document to be created already existed. Nothing was written. */
        MISSED,
        /** Another transaction is writing one of the documents. Nothing was written; a retry may help. */
        CONFLICT,
        /** The same, and the document is certainly a lease: the clock document was free. */
        LEASE_CONFLICT,
        /** The database could not write now. Nothing was written; a retry may help. */
        UNAVAILABLE,
        /** The caller withheld the commit. Nothing was written. */
        WITHHELD,
        /** The write is refused. Nothing was written; a retry does not help. */
        FAILED,
        /** The outcome is unknown: it may have been written, or may still be. */
        UNKNOWN
    }

    public static final WriteOutcome APPLIED = new WriteOutcome(Verdict.APPLIED, null);
    public static final WriteOutcome MISSED = new WriteOutcome(Verdict.MISSED, null);
    public static final WriteOutcome WITHHELD = new WriteOutcome(Verdict.WITHHELD, null);

    public static WriteOutcome conflict(LeaseException cause) {
        return new WriteOutcome(Verdict.CONFLICT, cause);
    }

    public static WriteOutcome leaseConflict(LeaseException cause) {
        return new WriteOutcome(Verdict.LEASE_CONFLICT, cause);
    }

    public static WriteOutcome unavailable(LeaseException cause) {
        return new WriteOutcome(Verdict.UNAVAILABLE, cause);
    }

    public static WriteOutcome failed(LeaseException cause) {
        return new WriteOutcome(Verdict.FAILED, cause);
    }

    public static WriteOutcome unknown(LeaseException cause) {
        return new WriteOutcome(Verdict.UNKNOWN, cause);
    }
}
