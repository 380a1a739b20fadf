package dev.leasehold.engine.campaign;

import org.jspecify.annotations.Nullable;

/** A write that the database tells of, after a majority had it. */
sealed interface Change {

    String lease();

    /**
     * A lease was written by an engine; assertions are left out.
     *
     * @param holder null when it was made vacant
     * @param call which call had begun the tenure, by its own word; null when it is over
     */
    record LeaseWritten(
            String lease,
            @Nullable String holder,
            long token,
            @Nullable String call) implements Change {}

    /** A gated transaction wrote its document. */
    record GateWritten(String lease, long token, String call) implements Change {}
}
