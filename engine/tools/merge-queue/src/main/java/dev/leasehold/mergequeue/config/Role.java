package dev.leasehold.mergequeue.config;

/** What credentials may do. Each role may do what those before it may. */
public enum Role {
    /** Look at queues and metrics. */
    READ("read"),
    /** Acquire, and release or withdraw what was registered with the same credentials. */
    RUN("run"),
    /** Withdraw requests of others, and clear queues. */
    OPERATOR("operator");

    private final String text;

    Role(String text) {
        this.text = text;
    }

    /** {@return how it is written in a configuration} */
    public String text() {
        return text;
    }

    /**
     * Tells whether it may do what needs another one.
     *
     * @param needed the least role that may
     * @return whether this one may
     */
    public boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
