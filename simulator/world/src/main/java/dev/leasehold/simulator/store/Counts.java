package dev.leasehold.simulator.store;

/**
 * What the primary answers to a write.
 *
 * @param kind what became of it
 * @param matched how many statements found their document
 * @param point of the log as it was then: what made the write fail is at or below it
 */
record Counts(Kind kind, int matched, long point) {

    /** What became of a write. */
    enum Kind {
        DONE,
        CONFLICT,
        DUPLICATE,
        /** It has waited for as long as it was to. */
        OUT_OF_TIME,
        /** It was told to end while it waited. */
        INTERRUPTED,
        /** There is no such transaction, and there never will be. */
        NO_SUCH_TRANSACTION
    }
}
