package dev.leasehold.engine.internal.partition;

import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.Collection;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A store that writes nothing more once an error has ended the engine, whichever part of it still tries to: what the
 * error has left behind is no ground for a write. Only what closes the engine is sent: it removes the writer's entry or
 * its driver session, and ends what was left open.
 */
public final class FailStopStore extends ForwardingStore {

    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final String partition;

    public FailStopStore(LeaseStore store, EngineRuntime runtime, String partition) {
        super(store);
        this.store = store;
        this.runtime = runtime;
        this.partition = partition;
    }

    private void requireWorking() {
        if (runtime.hasFailed()) {
            throw PartitionContext.closed(partition);
        }
    }

    @Override
    protected <T> T removing(Supplier<T> removal) {
        requireWorking();
        return super.removing(removal);
    }

    @Override
    protected WriteOutcome writing(Supplier<WriteOutcome> write) {
        requireWorking();
        return super.writing(write);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        // Another thread of the engine may fail while the statements are sent.
        return super.commit(transaction, () -> !runtime.hasFailed() && mayCommit.getAsBoolean());
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        boolean closing = write instanceof ClockWrite.Leave
                || write instanceof ClockWrite.Unlist
                || write instanceof ClockWrite.Barrier;
        return closing ? store.writeClock(write) : super.writeClock(write);
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        requireWorking();
        super.endTransactions(driverSessions);
    }
}
