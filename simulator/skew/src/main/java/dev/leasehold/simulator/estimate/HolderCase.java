package dev.leasehold.simulator.estimate;

/** What happens to the holder of a lease that others wait for. */
public enum HolderCase {
    /** It dies, and nothing works under the lease. */
    DIES("idle"),
    /** It dies, and may leave a gated transaction of its own open. */
    DIES_AT_WORK("at work"),
    /** Nothing happens to it; transactions are gated by its lease. */
    WORKS("lives"),
    /**
     * It stops for longer than its lease lasts. Another process goes on with its tenure until it wakes; those that work for the next
     * holder begin with that one's.
     */
    STALLS("stalls, is replaced");

    private final String words;

    HolderCase(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    boolean isDeath() {
        return this == DIES || this == DIES_AT_WORK;
    }
}
