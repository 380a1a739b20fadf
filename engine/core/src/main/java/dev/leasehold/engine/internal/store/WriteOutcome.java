package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.LeaseException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a write.
 *
 * @param verdict what is known
 * @param cause why; null where the verdict says everything
 */
public record WriteOutcome(Verdict verdict, @Nullable LeaseException cause) {

    /** What is known about a write. Only {@link #UNKNOWN} leaves open whether it happened. */
    public enum Verdict {
        /** Done, and acknowledged by a majority. */
        APPLIED,
        /** A guard did not hold, or a first document was there already. Nothing was written. */
        MISSED,
        /** Another transaction is writing one of the documents. Nothing was written; trying again may help. */
        CONFLICT,
        /** The same, and it certainly is one of the leases: the clock was free. */
        LEASE_CONFLICT,
        /** The database could not do it now. Nothing was written; trying again may help. */
        UNAVAILABLE,
        /** The caller of the store withheld the commit. Nothing was written. */
        WITHHELD,
        /** It cannot be done. Nothing was written; trying again does not help. */
        FAILED,
        /** It may have been done, or may be done yet. */
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
