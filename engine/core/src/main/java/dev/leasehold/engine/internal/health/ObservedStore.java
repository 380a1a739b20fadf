package dev.leasehold.engine.internal.health;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockHeld;
import dev.leasehold.engine.internal.metrics.EngineEvent.CommitEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.HeartbeatEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesWritten;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.EngineClock;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A store that reports its transactions, heartbeats and single writes of leases as events, the outcome of every command to
 * {@link StoreHealth}, and each read that finds no clock document, whatever it was for; a write that misses for that reason is
 * followed by a read. Idle transactions and change streams do not matter for the health: an engine without the right to them keeps
 * all its promises.
 */
public final class ObservedStore extends ForwardingStore {

    private final String partition;
    private final EngineClock clock;
    private final StoreHealth storeHealth;
    private final EngineMetrics metrics;
    private final Runnable beforeEach;
    private final Runnable onClockLost;

    /**
     * Sends nothing yet.
     *
     * @param beforeEach runs before each command, which counts as unanswered from then on
     * @param onClockLost runs during a read that finds no clock document
     */
    public ObservedStore(
            String partition,
            LeaseStore store,
            EngineClock clock,
            StoreHealth storeHealth,
            EngineMetrics metrics,
            Runnable beforeEach,
            Runnable onClockLost) {
        super(store);
        this.partition = partition;
        this.beforeEach = beforeEach;
        this.onClockLost = onClockLost;
        this.clock = clock;
        this.storeHealth = storeHealth;
        this.metrics = metrics;
    }

    // ---- reads and removals ----

    @Override
    protected <T> T reading(Supplier<T> read) {
        T result = observe(read);
        storeHealth.succeeded();
        return result;
    }

    private void begin() {
        storeHealth.begin();
        beforeEach.run();
    }

    private <T> T observe(Supplier<T> command) {
        begin();
        try {
            return command.get();
        } catch (RuntimeException e) {
            storeHealth.failed(e);
            if (e instanceof CorruptDocumentException corrupt && ClockDocument.isLost(partition, corrupt)) {
                onClockLost.run();
            }
            throw e;
        }
    }

    // ---- writes ----

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        TransactionTimes times = new TransactionTimes(mayCommit);
        WriteOutcome outcome = super.commit(transaction, times);
        metrics.record(
                new TransactionTried(outcome.verdict(), transaction.writes().size()));
        times.report();
        return outcome;
    }

    @Override
    public WriteOutcome commitAgain() {
        long beganNanos = clock.monotonicNanos();
        WriteOutcome outcome = super.commitAgain();
        metrics.record(new CommitEnded(clock.monotonicNanos() - beganNanos));
        return outcome;
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        WriteOutcome outcome = super.writeClock(write);
        if (write instanceof ClockWrite.Heartbeat) {
            metrics.record(new HeartbeatEnded(outcome.verdict() == Verdict.APPLIED));
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        long beganNanos = clock.monotonicNanos();
        WriteOutcome outcome = super.writeLeases(writer, writes);
        metrics.record(new LeasesWritten(outcome.verdict(), clock.monotonicNanos() - beganNanos));
        return outcome;
    }

    /**
     * A refusal is an answer too. But every write misses while the clock document is gone, and only the next read finds
     * that out.
     */
    @Override
    protected WriteOutcome writing(Supplier<WriteOutcome> write) {
        WriteOutcome outcome = observe(write);
        switch (outcome.verdict()) {
            case APPLIED, CONFLICT, LEASE_CONFLICT, WITHHELD -> storeHealth.succeeded();
            case MISSED -> storeHealth.answered();
            case UNAVAILABLE, FAILED, UNKNOWN -> storeHealth.failed(outcome.cause());
        }
        return outcome;
    }

    // ---- idle transactions ----

    @Override
    public List<IdleTransaction> idleTransactions() {
        begin();
        try {
            return super.idleTransactions();
        } finally {
            storeHealth.answered();
        }
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        begin();
        try {
            super.endTransactions(driverSessions);
        } finally {
            storeHealth.answered();
        }
    }

    /**
     * Times of one transaction. When the store asks whether it may commit, the transaction certainly holds the clock
     * document, but not since before the update was sent.
     */
    private final class TransactionTimes implements BooleanSupplier {

        private final BooleanSupplier mayCommit;
        private final long beganNanos = clock.monotonicNanos();
        private boolean hasClock;
        private boolean committing;
        private long commitBeganNanos;

        TransactionTimes(BooleanSupplier mayCommit) {
            this.mayCommit = mayCommit;
        }

        @Override
        public boolean getAsBoolean() {
            hasClock = true;
            committing = mayCommit.getAsBoolean();
            commitBeganNanos = clock.monotonicNanos();
            return committing;
        }

        void report() {
            long endedNanos = clock.monotonicNanos();
            if (hasClock) {
                metrics.record(new ClockHeld(endedNanos - beganNanos));
            }
            if (committing) {
                metrics.record(new CommitEnded(endedNanos - commitBeganNanos));
            }
        }
    }
}
