package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that notes when each command begins, and how each read and write of documents went. How it went with idle transactions is left
 * out: an engine that may not look at them still does all that it promises. So are changes, which nothing waits for.
 */
public final class HealthTrackingStore extends ForwardingStore {

    private final StoreHealth storeHealth;

    public HealthTrackingStore(LeaseStore store, StoreHealth storeHealth) {
        super(store);
        this.storeHealth = storeHealth;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return noted(() -> super.read(names, writer));
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return noted(() -> super.page(belowId, limit, writer));
    }

    @Override
    public Collection<WriterEntry> writers() {
        return noted(super::writers);
    }

    @Override
    public ClockSurvey survey() {
        return noted(super::survey);
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        storeHealth.begin();
        try {
            return super.idleTransactions();
        } finally {
            storeHealth.answered();
        }
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        storeHealth.begin();
        try {
            super.endTransactions(driverSessions);
        } finally {
            storeHealth.answered();
        }
    }

    private <T> T noted(Supplier<T> read) {
        T result = begun(read);
        storeHealth.succeeded();
        return result;
    }

    private <T> T begun(Supplier<T> dealing) {
        storeHealth.begin();
        try {
            return dealing.get();
        } catch (RuntimeException e) {
            storeHealth.failed(e);
            throw e;
        }
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return written(() -> super.commit(transaction, mayCommit));
    }

    @Override
    public WriteOutcome commitAgain() {
        return written(() -> super.commitAgain());
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return written(() -> super.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        return written(() -> super.writeLeases(writer, writes));
    }

    /** A no is an answer too. One of guards is what every write of a clock document gets that is gone: what is read next tells. */
    private WriteOutcome written(Supplier<WriteOutcome> write) {
        WriteOutcome outcome = begun(write);
        switch (outcome.verdict()) {
            case APPLIED, CONFLICT, LEASE_CONFLICT, WITHHELD -> storeHealth.succeeded();
            case MISSED -> storeHealth.answered();
            case UNAVAILABLE, FAILED, UNKNOWN -> storeHealth.failed(outcome.cause());
        }
        return outcome;
    }
}
