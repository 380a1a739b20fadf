package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.OccurrenceRecord;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another store. Base class of stores that add behaviour to some methods. */
public abstract class ForwardingStore implements LeaseStore {

    private final LeaseStore store;

    protected ForwardingStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public void open() {
        store.open();
    }

    @Override
    public String servers() {
        return store.servers();
    }

    @Override
    public UUID driverSession() {
        return store.driverSession();
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return store.read(names, writer);
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return store.page(belowId, limit, writer);
    }

    @Override
    public QueuePage queues(@Nullable String belowId, int limit) {
        return store.queues(belowId, limit);
    }

    @Override
    public ClockSurvey survey() {
        return store.survey();
    }

    @Override
    public ClockStamps stamps(String writer) {
        return store.stamps(writer);
    }

    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        return store.occurrence(lease, occurrence);
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        return store.occurrences(lease, limit);
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        return store.forgetOccurrence(record);
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return store.removeOldOccurrences(belowId, limit, retentionNanos);
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return store.tidyQueues(belowId, limit);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return store.commit(transaction, mayCommit);
    }

    @Override
    public WriteOutcome commitAgain() {
        return store.commitAgain();
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return store.writeClock(write);
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        return store.writeLeases(writer, writes);
    }

    @Override
    public LeaseChanges changes(boolean observing) {
        return store.changes(observing);
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        return store.idleTransactions();
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        store.endTransactions(driverSessions);
    }

    @Override
    public void close() {
        store.close();
    }
}
