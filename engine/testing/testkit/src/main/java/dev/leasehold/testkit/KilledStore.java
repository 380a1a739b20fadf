package dev.leasehold.testkit;

import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.simulator.world.ProcessKilled;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Ends calls that were under way when their machine was killed, by an exception: an error would have the engine report a failure of its
 * own, in the log of a test that has killed it on purpose.
 */
final class KilledStore extends ForwardingStore {

    KilledStore(LeaseStore store) {
        super(store);
    }

    private static <T> T ending(Supplier<T> call) {
        try {
            return call.get();
        } catch (ProcessKilled e) {
            throw killed();
        }
    }

    @Override
    protected <T> T reading(Supplier<T> read) {
        return ending(read);
    }

    @Override
    protected WriteOutcome writing(Supplier<WriteOutcome> write) {
        try {
            return write.get();
        } catch (ProcessKilled e) {
            return WriteOutcome.unavailable(killed());
        }
    }

    private static LeaseUnavailableException killed() {
        return new LeaseUnavailableException("the machine was killed", null);
    }

    @Override
    public void open() {
        ending(() -> {
            super.open();
            return true;
        });
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        return ending(super::idleTransactions);
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        ending(() -> {
            super.endTransactions(driverSessions);
            return true;
        });
    }

    @Override
    public LeaseChanges changes(boolean observing) {
        LeaseChanges changes = super.changes(observing);
        return new LeaseChanges() {
            @Override
            public List<LeaseChange> await() {
                return ending(changes::await);
            }

            @Override
            public void close() {
                changes.close();
            }
        };
    }
}
