package dev.leasehold.testkit;

import dev.leasehold.engine.internal.store.LeaseStore;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The stores of the test kit, for the contract of all stores. */
public final class KitStores {

    private KitStores() {}

    /** One for which no failure is ordered. */
    public static LeaseStore withoutFailures(LeaseStore store) {
        return new FailingStore(new KilledStore(store), new NoOrders());
    }

    private static final class NoOrders implements FailingStore.Orders {

        @Override
        public @Nullable StoreFailure next() {
            return null;
        }

        @Override
        public void done() {
            throw new AssertionError("nothing was ordered");
        }

        @Override
        public void away() {
            throw new AssertionError("nothing was ordered");
        }

        @Override
        public boolean isAway() {
            return false;
        }

        @Override
        public void endTransaction(UUID driverSession) {
            throw new AssertionError("nothing was ordered");
        }

        @Override
        public void fail() {
            // Nothing was ordered.
        }

        @Override
        public void disconnect() {
            throw new AssertionError("nothing was ordered");
        }
    }
}
