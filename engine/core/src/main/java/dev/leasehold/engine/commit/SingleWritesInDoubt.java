package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;

/**
 * Leases that were written each for itself, some of which may have been written and others not. The leases themselves tell:
 * one that shows this very write was written. One that does not was not, or was written by others since; then its tenure is
 * over, and what is decided next finds that.
 */
final class SingleWritesInDoubt extends Doubt {

    /** Whether the server may still be at it. */
    private final boolean mayBeUnderWay;

    SingleWritesInDoubt(Planned planned, LeaseException cause, boolean mayBeUnderWay) {
        super(planned, cause);
        this.mayBeUnderWay = mayBeUnderWay;
    }

    @Override
    Finding step(LeaseStore store, int number) {
        return mayBeUnderWay ? lookBehindBarrier(store) : look(store);
    }

    @Override
    Finding judge(Snapshot snapshot) {
        return known(planned().shownBy(snapshot.leases()));
    }
}
