package dev.leasehold.testkit;

import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A machine's way to the database, on which the next operation fails as the test has ordered. Used by the thread that is in the world. */
final class FailingStore extends ForwardingStore {

    /** What was ordered for a machine, one after the other. */
    interface Orders {

        /** What is to become of the next operation; null for nothing special. */
        @Nullable StoreFailure next();

        /** It has become of it. */
        void done();

        /** The database is away until the operation of now has run out of its budget. */
        void away();

        boolean isAway();

        /** Until then, nothing that is sent arrives, and nothing comes back. */
        void disconnect();

        /** Throws the error that the engine is to fail with, if one was ordered. */
        void fail();

        /** The server ends the transaction of a driver session. */
        void endTransaction(UUID driverSession);
    }

    private final Orders orders;

    FailingStore(LeaseStore store, Orders orders) {
        super(store);
        this.orders = orders;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        if (isRefused()) {
            throw refused();
        }
        return super.read(names, writer);
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        if (isRefused()) {
            throw refused();
        }
        return super.page(belowId, limit, writer);
    }

    /** No failure is ordered for it either. */
    @Override
    public ClockStamps stamps(String writer) {
        if (orders.isAway()) {
            throw refused();
        }
        return super.stamps(writer);
    }

    /** Heartbeats, above all: no failure is ordered for them, but without a database they fail too. */
    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        orders.fail();
        return orders.isAway() ? WriteOutcome.unavailable(refused()) : super.writeClock(write);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        if (isRefused()) {
            return WriteOutcome.unavailable(refused());
        }
        return orders.next() == StoreFailure.UNKNOWN_AND_NOT_WRITTEN
                ? super.commit(transaction, () -> mayCommit.getAsBoolean() && loseCommit())
                : answered(super.commit(transaction, mayCommit));
    }

    /** It is sent, but does not arrive, and the transaction ends without it. */
    private boolean loseCommit() {
        orders.done();
        orders.endTransaction(driverSession());
        orders.disconnect();
        return true;
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        if (isRefused()) {
            return WriteOutcome.unavailable(refused());
        }
        if (orders.next() == StoreFailure.UNKNOWN_AND_NOT_WRITTEN) {
            orders.done();
            orders.disconnect();
        }
        return answered(super.writeLeases(writer, writes));
    }

    /** What was written, or that this is not known. What was not written, since a guard did not hold, leaves the order to the next. */
    private WriteOutcome answered(WriteOutcome outcome) {
        if (orders.next() != StoreFailure.UNKNOWN_AND_WRITTEN || outcome.verdict() != WriteOutcome.Verdict.APPLIED) {
            return outcome;
        }
        orders.done();
        orders.disconnect();
        return WriteOutcome.unknown(new LeaseOutcomeUnknownException("the test has lost the answer", null));
    }

    private boolean isRefused() {
        orders.fail();
        if (orders.isAway()) {
            return true;
        }
        StoreFailure failure = orders.next();
        if (failure == StoreFailure.UNAVAILABLE) {
            orders.away();
        }
        boolean refused = failure == StoreFailure.UNAVAILABLE || failure == StoreFailure.REFUSED_ONCE;
        if (refused) {
            orders.done();
        }
        return refused;
    }

    private static LeaseUnavailableException refused() {
        return new LeaseUnavailableException("the test has had the database refuse it", null);
    }
}
