package dev.leasehold.engine.internal.partition;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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

    private LeaseStore working() {
        if (runtime.hasFailed()) {
            throw PartitionContext.closed(partition);
        }
        return store;
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        // Another thread of the engine may fail while the statements are sent.
        return working().commit(transaction, () -> !runtime.hasFailed() && mayCommit.getAsBoolean());
    }

    @Override
    public WriteOutcome commitAgain() {
        return working().commitAgain();
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        return working().writeLeases(writer, writes);
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        boolean closing = write instanceof ClockWrite.Leave
                || write instanceof ClockWrite.Unlist
                || write instanceof ClockWrite.Barrier;
        return (closing ? store : working()).writeClock(write);
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        return working().forgetOccurrence(record);
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return working().removeOldOccurrences(belowId, limit, retentionNanos);
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return working().tidyQueues(belowId, limit);
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        working().endTransactions(driverSessions);
    }
}
