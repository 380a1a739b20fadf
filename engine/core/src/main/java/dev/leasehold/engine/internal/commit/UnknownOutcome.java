package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose outcome is unknown, and how it is resolved: a barrier write ensures that they are no longer under way,
 * and a read after it shows which of them landed. Engine thread only.
 */
abstract class UnknownOutcome {

    /** What is known after a step. */
    enum Finding {
        /** Which writes landed on a majority, and which never will. */
        KNOWN,
        /** Still unknown; try again. */
        OPEN,
        /** The evidence is gone; the outcome will never be known. */
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

    /** Why the outcome is unknown. */
    final LeaseException cause() {
        return cause;
    }

    /** The writes that landed. Valid once {@link Finding#KNOWN}. */
    final WriteBatch landed() {
        return landed;
    }

    /** The writes without evidence, since another engine wrote the lease later. Valid once {@link Finding#KNOWN}. */
    WriteBatch overwritten() {
        return writeBatch.none();
    }

    /** The writes whose lease document is damaged; their outcome is never known. Valid once {@link Finding#KNOWN}. */
    WriteBatch unreadable() {
        return writeBatch.none();
    }

    /** Failures so far: the original attempt and each step. */
    final int failures() {
        return steps + 1;
    }

    /** One attempt to resolve it. */
    final Finding step(LeaseStore store) {
        return step(store, ++steps);
    }

    /**
     * One attempt to resolve it.
     *
     * @param number 1 for the first
     */
    abstract Finding step(LeaseStore store, int number);

    /** Concludes from a read made after the writes were over. */
    abstract Finding judge(Snapshot snapshot);

    final Finding readAfterBarrier(LeaseStore store) {
        WriteOutcome outcome =
                store.writeClock(new ClockWrite.Barrier(writeBatch.at().writer()));
        return switch (outcome.verdict()) {
            case APPLIED -> readBack(store);
            // A barrier matches any clock document, so there is none any more.
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

    final Finding open(@Nullable LeaseException failure) {
        cause = failure == null ? cause : failure;
        return Finding.OPEN;
    }
}
