package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;

/** What a caller was told. */
public enum OperationOutcome {
    /** Yes. */
    GRANTED,
    /** No. */
    REFUSED,
    /** Not carried out: others kept writing the same documents. */
    CONTENTION,
    /** Not carried out: the database did not answer. */
    UNAVAILABLE,
    /** It may or may not have been carried out. */
    UNKNOWN,
    /** Whoever asked for it did not wait for the answer: the thread was interrupted, or what it was about was given up meanwhile. */
    INTERRUPTED,
    /** Not carried out, for any other reason. */
    FAILED;

    /** What an exception tells a caller. */
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
