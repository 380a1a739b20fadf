package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;

/**
 * Leases that were written each for itself, some of which may have been written and others not. The leases themselves tell:
 * one that shows this very write was written, and one that is as it was before was not. Of one that others have written since
 * nothing tells; but the tenure that it was about is over, and what is decided next finds that. A damaged one tells nothing at all,
 * and may show the write again when it is mended.
 */
final class SingleWritesInDoubt extends Doubt {

    /** Whether the server may still be at it. */
    private final boolean mayBeUnderWay;

    private Planned hidden;
    private Planned unreadable;

    SingleWritesInDoubt(Planned planned, LeaseException cause, boolean mayBeUnderWay) {
        super(planned, cause);
        this.mayBeUnderWay = mayBeUnderWay;
        this.hidden = planned.none();
        this.unreadable = hidden;
    }

    @Override
    Planned hidden() {
        return hidden;
    }

    @Override
    Planned unreadable() {
        return unreadable;
    }

    @Override
    Finding step(LeaseStore store, int number) {
        return mayBeUnderWay ? lookBehindBarrier(store) : look(store);
    }

    @Override
    Finding judge(Snapshot snapshot) {
        Planned shown = planned().shownBy(snapshot.leases());
        unreadable = planned().damagedIn(snapshot.leases());
        hidden = planned()
                .without(shown)
                .without(planned().untouchedIn(snapshot.leases()))
                .without(unreadable);
        return known(shown);
    }
}
