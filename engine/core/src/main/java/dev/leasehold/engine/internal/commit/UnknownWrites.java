package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;

/**
 * Single writes sent in one command, each of which may have landed or not. Each lease shows its own outcome:
 *
 * <ul>
 *   <li>It shows this write: the write landed.
 *   <li>It is as it was before: the write did not land.
 *   <li>Another engine wrote it since: there is no evidence. But the tenure in question is over, and the next decision
 *       on the operation finds that.
 *   <li>It is damaged: the outcome is never known. The write may reappear when the document is repaired.
 * </ul>
 */
final class UnknownWrites extends UnknownOutcome {

    /** Whether the server may still be executing the command; then a barrier is needed before the read. */
    private final boolean mayBeUnderWay;

    private WriteBatch overwritten;
    private WriteBatch unreadable;

    UnknownWrites(WriteBatch writeBatch, LeaseException cause, boolean mayBeUnderWay) {
        super(writeBatch, cause);
        this.mayBeUnderWay = mayBeUnderWay;
        this.overwritten = writeBatch.none();
        this.unreadable = overwritten;
    }

    @Override
    WriteBatch overwritten() {
        return overwritten;
    }

    @Override
    WriteBatch unreadable() {
        return unreadable;
    }

    @Override
    Finding step(LeaseStore store, int number) {
        return mayBeUnderWay ? readAfterBarrier(store) : readBack(store);
    }

    @Override
    Finding judge(Snapshot snapshot) {
        WriteBatch shown = writeBatch().shownBy(snapshot.leases());
        unreadable = writeBatch().damagedIn(snapshot.leases());
        overwritten = writeBatch()
                .without(shown)
                .without(writeBatch().untouchedIn(snapshot.leases()))
                .without(unreadable);
        return known(shown);
    }
}
