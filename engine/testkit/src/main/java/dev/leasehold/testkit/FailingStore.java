package dev.leasehold.testkit;

import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.store.ForwardingStore;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.WriteOutcome;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A machine's way to the database, on which the next operation fails as the test has ordered. */
final class FailingStore extends ForwardingStore {

    /** What was ordered for a machine, one after the other. Used by who is in the world. */
    interface Orders {

        /** What is to become of the next operation; null for nothing special. */
        @Nullable StoreFailure next();

        /** It has become of it. */
        void done();

        /** Nothing gets through until the operation of now has run out of its budget. */
        void disconnect();
    }

    private final LeaseStore store;
    private final Orders orders;

    FailingStore(LeaseStore store, Orders orders) {
        super(store);
        this.store = store;
        this.orders = orders;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        if (orders.next() == StoreFailure.UNAVAILABLE) {
            orders.done();
            orders.disconnect();
        } else if (orders.next() == StoreFailure.REFUSED_ONCE) {
            orders.done();
            throw refused();
        }
        return super.read(names, writer);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return write(
                () -> super.commit(transaction, mayCommit),
                () -> super.commit(transaction, () -> mayCommit.getAsBoolean() && false));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        return write(() -> super.writeLeases(writer, writes), () -> WriteOutcome.WITHHELD);
    }

    private WriteOutcome write(Supplier<WriteOutcome> write, Supplier<WriteOutcome> withheld) {
        StoreFailure failure = orders.next();
        if (failure == null) {
            return write.get();
        }
        switch (failure) {
            case REFUSED_ONCE -> {
                orders.done();
                return WriteOutcome.unavailable(refused());
            }
            case UNAVAILABLE -> {
                orders.done();
                orders.disconnect();
                return write.get();
            }
            default -> {
                WriteOutcome.Verdict reached = failure == StoreFailure.UNKNOWN_AND_WRITTEN
                        ? WriteOutcome.Verdict.APPLIED
                        : WriteOutcome.Verdict.WITHHELD;
                WriteOutcome outcome = (failure == StoreFailure.UNKNOWN_AND_WRITTEN ? write : withheld).get();
                if (outcome.verdict() != reached) {
                    // A guard did not hold, or somebody else was in the way: it is the next one's turn.
                    return outcome;
                }
                orders.done();
                orders.disconnect();
                return WriteOutcome.unknown(new LeaseOutcomeUnknownException("the test has lost the answer", null));
            }
        }
    }

    private static LeaseUnavailableException refused() {
        return new LeaseUnavailableException("the test has had the server refuse it", null);
    }
}
