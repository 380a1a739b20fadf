package dev.leasehold.mergequeue.queue;

/** The status that a caller asks for when it releases. Only the first two can be asked for with success. */
public enum AskedStatus {
    /** The work was done. */
    SUCCESS,
    /** The work was not done. */
    FAILURE,
    /** Never granted to a caller. */
    PENDING,
    /** Never granted to a caller. */
    ACQUIRED,
    /** Never granted to a caller. */
    COMPLETED;

    /** {@return as it is written in a body} */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    boolean isOutcome() {
        return this == SUCCESS || this == FAILURE;
    }
}
