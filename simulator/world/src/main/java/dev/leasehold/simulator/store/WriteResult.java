package dev.leasehold.simulator.store;

import java.util.List;

/**
 * What the primary answers to a write.
 *
 * @param matched how many statements found their document, or inserted it
 * @param inserted the places of those that inserted it
 * @param modified how many of those that found it changed a byte
 * @param errors of the statements that were refused, in their order
 * @param point of the oplog as it was then: what made the write fail is at or below it
 */
record WriteResult(Kind kind, int matched, List<Integer> inserted, int modified, List<Error> errors, long point) {

    /** A statement that was refused. */
    record Error(int place, int code) {}

    /** What became of a write. */
    enum Kind {
        DONE,
        CONFLICT,
        /** A statement of a transaction was refused, and with it the transaction. */
        REFUSED,
        /** It has waited for as long as it was allowed to. */
        OUT_OF_TIME,
        /** Its session was killed while it waited. */
        INTERRUPTED,
        /** It is done, and no majority has it in the time that was given for that. */
        NO_MAJORITY,
        /** There is no such transaction, and there never will be. */
        NO_SUCH_TRANSACTION
    }

    /** One that has written nothing. */
    static WriteResult none(Kind kind, long point) {
        return new WriteResult(kind, 0, List.of(), 0, List.of(), point);
    }

    WriteResult as(Kind other) {
        return new WriteResult(other, matched, inserted, modified, errors, point);
    }
}
