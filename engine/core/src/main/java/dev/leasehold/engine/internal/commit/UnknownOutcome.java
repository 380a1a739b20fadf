package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes that were sent and not answered, and how their outcome is found out: a barrier makes sure that they are over, and
 * what is read behind it tells. Used by the engine's own thread alone.
 */
abstract class UnknownOutcome {

    /** What is known after a step. */
    enum Finding {
        /** Which of the writes were carried out, by a majority, and which never will be. */
        KNOWN,
        /** Still in doubt. */
        OPEN,
        /** What would tell is gone: nobody will ever know. */
        FOREVER_UNKNOWN
    }

    private final WriteBatch writeBatch;
    private LeaseException cause;
    private WriteBatch landed;
    private int steps;

    UnknownOutcome(WriteBatch writeBatch, LeaseException cause) {
        this.writeBatch = writeBatch;
        this.cause = cause;
        this.landed = writeBatch.none();
    }

    final WriteBatch writeBatch() {
        return writeBatch;
    }

    /** Why it is in doubt. */
    final LeaseException cause() {
        return cause;
    }

    /** Those that were carried out. Once it is known. */
    final WriteBatch landed() {
        return landed;
    }

    /** Those of which nothing tells any more whether they were carried out: others have written since. Once it is known. */
    WriteBatch overwritten() {
        return writeBatch.none();
    }

    /** Those whose lease is damaged, so that nobody will ever know whether they were carried out. Once it is known. */
    WriteBatch unreadable() {
        return writeBatch.none();
    }

    /** How many steps were taken in vain, and the first attempt. */
    final int failures() {
        return steps + 1;
    }

    /** One attempt to find out. */
    final Finding step(LeaseStore store) {
        return step(store, ++steps);
    }

    /**
     * One attempt to find out.
     *
     * @param number 1 for the first
     */
    abstract Finding step(LeaseStore store, int number);

    /** What a read tells that was made when the writes were over. */
    abstract Finding judge(Snapshot snapshot);

    final Finding readAfterBarrier(LeaseStore store) {
        WriteOutcome outcome =
                store.writeClock(new ClockWrite.Barrier(writeBatch.at().writer()));
        return switch (outcome.verdict()) {
            case APPLIED -> readBack(store);
            // It matches any clock document: there is none any more.
            case MISSED -> Finding.FOREVER_UNKNOWN;
            default -> open(outcome.cause());
        };
    }

    final Finding readBack(LeaseStore store) {
        try {
            return judge(store.read(writeBatch.names(), writeBatch.at().writer()));
        } catch (LeaseException e) {
            return open(e);
        }
    }

    final Finding known(WriteBatch carriedOut) {
        landed = carriedOut;
        return Finding.KNOWN;
    }

    final Finding open(@Nullable LeaseException trouble) {
        cause = trouble == null ? cause : trouble;
        return Finding.OPEN;
    }
}
