package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;

/** How an operation ended for its caller. */
public enum OperationOutcome {
    /** It was carried out. */
    GRANTED,
    /** It was refused. */
    REFUSED,
    /** Not carried out: others kept writing the same documents. */
    CONTENTION,
    /** Not carried out: the database did not answer. */
    UNAVAILABLE,
    /** It may or may not have been carried out. */
    UNKNOWN,
    /** Nothing waited for the answer any more: the thread was interrupted, or the lease was released meanwhile. */
    INTERRUPTED,
    /** Not carried out, for any other reason. */
    FAILED;

    /** The outcome that an exception stands for. */
    public static OperationOutcome of(LeaseException exception) {
        if (exception instanceof LeaseOutcomeUnknownException) {
            return UNKNOWN;
        }
        if (exception instanceof LeaseContentionException) {
            return CONTENTION;
        }
        return exception instanceof LeaseUnavailableException ? UNAVAILABLE : FAILED;
    }
}
