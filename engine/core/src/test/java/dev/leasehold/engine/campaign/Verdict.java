package dev.leasehold.engine.campaign;

/** What a caller was told, as far as it matters what may be concluded. */
enum Verdict {
    /** Done. */
    YES,
    /** Not done, and it never will be. */
    NO,
    /** Not known yet. */
    UNKNOWN,
    /** Nobody will ever know. */
    NEVER_KNOWN,
    /** Of no known kind. */
    UNPROMISED;

    boolean isOpen() {
        return this == UNKNOWN || this == NEVER_KNOWN;
    }
}
