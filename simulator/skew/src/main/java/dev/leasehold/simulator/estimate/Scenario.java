package dev.leasehold.simulator.estimate;

/** What befalls the holder of a lease that others wait for. */
public enum Scenario {
    /** It dies, and nobody works under the lease. */
    DIES,
    /** It dies, and may leave a gated transaction of its own open. */
    DIES_AT_WORK,
    /** Nothing befalls it; transactions are gated by its lease. */
    WORKS,
    /**
     * It stops for longer than its lease lasts. Those who work for it go on with its tenure until it wakes; those who work for the next
     * holder begin with that one's.
     */
    STALLS;

    boolean isDeath() {
        return this == DIES || this == DIES_AT_WORK;
    }
}
