package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.OccurrenceRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another store. Base class of stores that add behaviour to some methods, or to all of a kind. */
public abstract class ForwardingStore implements LeaseStore {

    private final LeaseStore store;

    protected ForwardingStore(LeaseStore store) {
        this.store = store;
    }

    /** Sends any read of documents. */
    protected <T> T reading(Supplier<T> read) {
        return read.get();
    }

    /** Sends any removal that throws as reads do. */
    protected <T> T removing(Supplier<T> removal) {
        return reading(removal);
    }

    /** Sends any write that has an outcome. */
    protected WriteOutcome writing(Supplier<WriteOutcome> write) {
        return write.get();
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
        return reading(() -> store.read(names, writer));
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return reading(() -> store.page(belowId, limit, writer));
    }

    @Override
    public QueuePage queues(@Nullable String belowId, int limit) {
        return reading(() -> store.queues(belowId, limit));
    }

    @Override
    public ClockSurvey survey() {
        return reading(store::survey);
    }

    @Override
    public ClockStamps stamps(String writer) {
        return reading(() -> store.stamps(writer));
    }

    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        return reading(() -> Optional.ofNullable(store.occurrence(lease, occurrence)))
                .orElse(null);
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        return reading(() -> store.occurrences(lease, limit));
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        return removing(() -> store.forgetOccurrence(record));
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return removing(() -> store.removeOldOccurrences(belowId, limit, retentionNanos));
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return removing(() -> store.tidyQueues(belowId, limit));
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return writing(() -> store.commit(transaction, mayCommit));
    }

    @Override
    public WriteOutcome commitAgain() {
        return writing(store::commitAgain);
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return writing(() -> store.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        return writing(() -> store.writeLeases(writer, writes));
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
