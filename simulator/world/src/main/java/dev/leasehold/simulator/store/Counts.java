package dev.leasehold.simulator.store;

import java.util.List;

/**
 * What the primary answers to a write.
 *
 * @param kind what became of it
 * @param matched how many statements found their document, or made it
 * @param made the places of those that made it
 * @param modified how many of those that found it changed a byte
 * @param errors of the statements that were refused, in their order: code and place
 * @param point of the log as it was then: what made the write fail is at or below it
 */
record Counts(Kind kind, int matched, List<Integer> made, int modified, List<Error> errors, long point) {

    /** A statement that was refused. */
    record Error(int place, int code) {}

    /** What became of a write. */
    enum Kind {
        DONE,
        CONFLICT,
        /** A statement of a transaction was refused, and with it the transaction. */
        REFUSED,
        /** It has waited for as long as it was to. */
        OUT_OF_TIME,
        /** It was told to end while it waited. */
        INTERRUPTED,
        /** It is done, and no majority has it in the time that was given for that. */
        NO_MAJORITY,
        /** There is no such transaction, and there never will be. */
        NO_SUCH_TRANSACTION
    }

    /** One that has written nothing. */
    static Counts none(Kind kind, long point) {
        return new Counts(kind, 0, List.of(), 0, List.of(), point);
    }

    Counts as(Kind other) {
        return new Counts(other, matched, made, modified, errors, point);
    }
}
