package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose outcome is unknown, and how it is resolved. A barrier write ensures that they are no longer under way; a
 * read after it shows which of them landed. Engine thread only.
 *
 * <p>A transaction landed as a whole or not at all. The first step sends its commit again. Then these decide, in order:
 *
 * <ol>
 *   <li>The writer's entry, if it exists. A writer's transactions run one after the other, and only they set {@code txn}.
 *       So {@code txn} is the stamp of this transaction if and only if it landed, whatever other engines wrote since.
 *   <li>One lease that shows its write proves that the transaction landed.
 *   <li>One lease that is as it was before proves that it did not.
 *   <li>Otherwise the outcome will never be known.
 * </ol>
 *
 * <p>Of single writes each lease shows its own outcome, see {@link WriteBatch.Evidence}. One that another engine has
 * written since shows nothing, but then the tenure in question is over, and the next decision on the operation finds that.
 */
final class UnknownOutcome {

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
    private final StampClock clock;
    private final boolean transaction;
    private final boolean mayBeUnderWay;
    private LeaseException cause;
    private WriteBatch landed;
    private WriteBatch overwritten;
    private WriteBatch unreadable;
    private int steps;

    private UnknownOutcome(
            WriteBatch writeBatch, LeaseException cause, StampClock clock, boolean transaction, boolean mayBeUnderWay) {
        this.writeBatch = writeBatch;
        this.cause = cause;
        this.clock = clock;
        this.transaction = transaction;
        this.mayBeUnderWay = mayBeUnderWay;
        this.landed = writeBatch.none();
        this.overwritten = landed;
        this.unreadable = landed;
    }

    /** A transaction whose commit was sent and not answered. */
    static UnknownOutcome ofTransaction(WriteBatch writeBatch, LeaseException cause, StampClock clock) {
        return new UnknownOutcome(writeBatch, cause, clock, true, true);
    }

    /**
     * Single writes sent in one command, each of which may have landed or not.
     *
     * @param mayBeUnderWay whether the server may still be executing the command; then a barrier is needed before the read
     */
    static UnknownOutcome ofWrites(
            WriteBatch writeBatch, LeaseException cause, StampClock clock, boolean mayBeUnderWay) {
        return new UnknownOutcome(writeBatch, cause, clock, false, mayBeUnderWay);
    }

    WriteBatch writeBatch() {
        return writeBatch;
    }

    boolean isTransaction() {
        return transaction;
    }

    /** Why the outcome is unknown. */
    LeaseException cause() {
        return cause;
    }

    /** The writes that landed. This and the next three: valid once {@link Finding#KNOWN}. */
    WriteBatch landed() {
        return landed;
    }

    /** The writes without evidence, since another engine wrote the lease later. */
    WriteBatch overwritten() {
        return overwritten;
    }

    /** The writes whose lease document is damaged; their outcome is never known. */
    WriteBatch unreadable() {
        return unreadable;
    }

    /** The writes that certainly did not land. */
    WriteBatch notLanded() {
        return writeBatch.without(landed).without(overwritten).without(unreadable);
    }

    /** Failures so far: the original attempt and each step. */
    int failures() {
        return steps + 1;
    }

    /** One attempt to resolve it. */
    Finding step(LeaseStore store) {
        steps++;
        if (transaction && steps == 1 && !writeBatch.mayBeForgottenByServer(clock)) {
            return commitAgain(store);
        }
        return mayBeUnderWay ? readAfterBarrier(store) : readBack(store);
    }

    private Finding commitAgain(LeaseStore store) {
        WriteOutcome outcome = store.commitAgain();
        return switch (outcome.verdict()) {
            case APPLIED -> all();
            case UNKNOWN -> open(outcome.cause());
            default -> writeBatch.mayBeForgottenByServer(clock) ? open(outcome.cause()) : Finding.KNOWN;
        };
    }

    private Finding readAfterBarrier(LeaseStore store) {
        WriteOutcome outcome =
                store.writeClock(new ClockWrite.Barrier(writeBatch.at().writer()));
        return switch (outcome.verdict()) {
            case APPLIED -> readBack(store);
            // A barrier matches any clock document, so there is none any more.
            case MISSED -> Finding.FOREVER_UNKNOWN;
            default -> open(outcome.cause());
        };
    }

    private Finding readBack(LeaseStore store) {
        try {
            Snapshot snapshot = store.read(writeBatch.names(), writeBatch.at().writer());
            return transaction ? judgeTransaction(snapshot) : judgeWrites(snapshot);
        } catch (LeaseException e) {
            return open(e);
        }
    }

    private Finding judgeTransaction(Snapshot snapshot) {
        WriterEntry entry = snapshot.clock().writers().get(writeBatch.at().writer());
        if (entry instanceof WriterEntry.Sound sound) {
            Long newest = sound.transactionNanos();
            return newest != null && newest == writeBatch.at().stampNanos() ? all() : Finding.KNOWN;
        }
        if (!writeBatch.showing(WriteBatch.Evidence.LANDED, snapshot.leases()).isEmpty()) {
            return all();
        }
        return writeBatch
                        .showing(WriteBatch.Evidence.UNTOUCHED, snapshot.leases())
                        .isEmpty()
                ? Finding.FOREVER_UNKNOWN
                : Finding.KNOWN;
    }

    private Finding judgeWrites(Snapshot snapshot) {
        landed = writeBatch.showing(WriteBatch.Evidence.LANDED, snapshot.leases());
        overwritten = writeBatch.showing(WriteBatch.Evidence.OVERWRITTEN, snapshot.leases());
        unreadable = writeBatch.showing(WriteBatch.Evidence.DAMAGED, snapshot.leases());
        return Finding.KNOWN;
    }

    private Finding all() {
        landed = writeBatch;
        return Finding.KNOWN;
    }

    private Finding open(@Nullable LeaseException failure) {
        cause = failure == null ? cause : failure;
        return Finding.OPEN;
    }
}
