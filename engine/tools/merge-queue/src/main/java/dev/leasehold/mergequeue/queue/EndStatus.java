package dev.leasehold.mergequeue.queue;

/** How a request ended. */
public enum EndStatus {
    /** It held, and its run went well. */
    SUCCESS("completed", true),
    /** Another one of its round held, and that one's run went well. */
    COMPLETED("completed", false),
    /** It held, and its run failed. */
    FAILURE("failure", true),
    /** It held for longer than it may, which counts as a failure. */
    EXPIRED("failure", true),
    /** Its run was cancelled while it waited, or before it registered. */
    WITHDRAWN("withdrawn", false),
    /** Its run was cancelled while it held, which counts as a failure. */
    HOLD_WITHDRAWN("withdrawn", true),
    /** An administrator cleared the queue while it waited. */
    CLEARED("cleared", false),
    /** An administrator cleared the queue while it held. */
    HOLD_CLEARED("cleared", true);

    private final String told;
    private final boolean held;

    EndStatus(String told, boolean held) {
        this.told = told;
        this.held = held;
    }

    /** {@return the status that callers are told} */
    public String told() {
        return told;
    }

    /** {@return whether the request was the holder} */
    public boolean held() {
        return held;
    }

    boolean cleared() {
        return this == CLEARED || this == HOLD_CLEARED;
    }

    boolean failed() {
        return this == FAILURE || this == EXPIRED || this == HOLD_WITHDRAWN;
    }

    /** The work was done; the others may be asked for anew. */
    boolean completed() {
        return this == SUCCESS || this == COMPLETED;
    }
}
