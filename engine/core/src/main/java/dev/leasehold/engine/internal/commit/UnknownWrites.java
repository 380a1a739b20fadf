package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;

/**
 * Leases that were written each for itself, some of which may have been written and others not. The leases themselves tell:
 * one that shows this very write was written, and one that is as it was before was not. Of one that others have written since
 * nothing tells; but the tenure that it was about is over, and what is decided next finds that. A damaged one tells nothing at all,
 * and may show the write again when it is mended.
 */
final class UnknownWrites extends UnknownOutcome {

    /** Whether the server may still be at it. */
    private final boolean mayBeUnderWay;

    private WriteBatch hidden;
    private WriteBatch unreadable;

    UnknownWrites(WriteBatch writeBatch, LeaseException cause, boolean mayBeUnderWay) {
        super(writeBatch, cause);
        this.mayBeUnderWay = mayBeUnderWay;
        this.hidden = writeBatch.none();
        this.unreadable = hidden;
    }

    @Override
    WriteBatch overwritten() {
        return hidden;
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
        hidden = writeBatch()
                .without(shown)
                .without(writeBatch().untouchedIn(snapshot.leases()))
                .without(unreadable);
        return known(shown);
    }
}
