package dev.leasehold.testkit;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.simulator.world.ProcessKilled;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    private static WriteOutcome write(Supplier<WriteOutcome> write) {
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
    public Snapshot read(Set<String> names, String writer) {
        return ending(() -> super.read(names, writer));
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return ending(() -> super.page(belowId, limit, writer));
    }

    @Override
    public QueuePage queues(@Nullable String belowId, int limit) {
        return ending(() -> super.queues(belowId, limit));
    }

    @Override
    public ClockSurvey survey() {
        return ending(super::survey);
    }

    @Override
    public ClockStamps stamps(String writer) {
        return ending(() -> super.stamps(writer));
    }

    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        return ending(() -> Optional.ofNullable(super.occurrence(lease, occurrence)))
                .orElse(null);
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        return ending(() -> super.occurrences(lease, limit));
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        return ending(() -> super.forgetOccurrence(record));
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return ending(() -> super.removeOldOccurrences(belowId, limit, retentionNanos));
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return ending(() -> super.tidyQueues(belowId, limit));
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return write(() -> super.commit(transaction, mayCommit));
    }

    @Override
    public WriteOutcome commitAgain() {
        return write(super::commitAgain);
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return write(() -> super.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        return write(() -> super.writeLeases(writer, writes));
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
