package dev.leasehold.simulator.estimate;

/** What keeps a lease: the heartbeat of its engine's session, or its own term, which a handle renews. */
public enum LeaseKind {
    SESSION("session"),
    TERM("term");

    private final String word;

    LeaseKind(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
