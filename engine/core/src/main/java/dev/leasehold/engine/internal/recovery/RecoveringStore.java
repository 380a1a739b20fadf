package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that ends transactions that engines left open: those of other engines that died or were paused, and what its
 * own lost aborts left. Engine thread only.
 *
 * <p>A write conflict usually does not name the contended document. So after 250 ms of conflicts, and four of them, this store
 * writes the clock document alone. If that succeeds, a lease document is the likely blocker. If it times out while {@code ticks}
 * stood still for a second, one transaction has blocked the clock document throughout, and the stuck transactions of
 * engines are ended.
 *
 * <p>A transaction of an engine may also hold leases alone: if the guard of the clock missed, the leases behind it were
 * written all the same, and the abort may have been lost. So stuck transactions are ended too when conflicts on leases
 * last, and before the writer that registered them is evicted. Transactions of application code are never ended. Only the
 * caller's next attempt shows whether the recovery helped.
 */
public final class RecoveringStore extends ForwardingStore {

    private static final Logger LOG = LoggerFactory.getLogger(RecoveringStore.class);

    private static final long BLOCKED_NANOS_MIN = 1_000_000_000;

    /** Longer than ordinary contention lasts, so that the clock document is not written needlessly. */
    private static final long CONFLICTS_NANOS_MIN = 250_000_000;

    /**
     * The same where answers are slow: each conflict takes two of them, and the look that follows takes three and then
     * delays the write that is to be done, such as a renewal.
     */
    private static final int CONFLICTS_MIN = 4;

    private final String namespace;
    private final StampClock clock;
    private final EngineMetrics metrics;
    private final StallDetector stall = new StallDetector();
    private final StuckTransactionReaper reaper;
    private final LostAborts lostAborts;
    private int conflicts;
    private long conflictsSinceNanos;
    private @Nullable Long leaseConflictsSinceNanos;
    private @Nullable Long blockedSinceNanos;

    /**
     * Recovers nothing before something is read or written.
     *
     * @param thread of the engine; writes what ends lost aborts
     */
    public RecoveringStore(
            String namespace, LeaseStore store, EngineThread thread, StampClock clock, EngineMetrics metrics) {
        super(store);
        this.namespace = namespace;
        this.clock = clock;
        this.metrics = metrics;
        this.reaper = new StuckTransactionReaper(namespace, store, clock, metrics);
        this.lostAborts = new LostAborts(namespace, store, thread, clock);
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        Snapshot snapshot = super.read(names, writer);
        stall.onRead(snapshot.clock().ticks(), clock.nowNanos());
        return snapshot;
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        String writer = transaction.clock().writer();
        reaper.endLeftBy(transaction.clock().evictedWriters(), writer);
        long begunNanos = clock.nowNanos();
        WriteOutcome outcome = super.commit(transaction, mayCommit);
        lostAborts.onTransaction(writer, outcome.verdict());
        if (outcome.verdict() == Verdict.CONFLICT) {
            onConflict(writer, begunNanos);
        } else {
            conflicts = 0;
            onOutcome(outcome.verdict());
            if (outcome.verdict() == Verdict.LEASE_CONFLICT) {
                onLeaseConflict(writer);
            }
        }
        return outcome;
    }

    private void onConflict(String writer, long begunNanos) {
        conflicts++;
        if (conflicts == 1) {
            conflictsSinceNanos = begunNanos;
        } else if (conflicts >= CONFLICTS_MIN && clock.nowNanos() - conflictsSinceNanos >= CONFLICTS_NANOS_MIN) {
            conflicts = 0;
            // An operation with a short budget may never send the clock and the leases apart, which would show the
            // document.
            if (isClockWritable(writer)) {
                onLeaseConflict(writer);
            }
        }
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        if (write instanceof ClockWrite.Clear clear) {
            reaper.endLeftBy(clear.evictions(), clear.writer());
        }
        long begunNanos = clock.nowNanos();
        WriteOutcome outcome = super.writeClock(write);
        lostAborts.onWrite(outcome.verdict());
        switch (outcome.verdict()) {
            case CONFLICT, UNKNOWN -> {
                stall.onBlockedWrite(begunNanos);
                recoverIfBlocked(write.writer(), clock.nowNanos());
            }
            case UNAVAILABLE -> stall.onUnblocked();
            default -> onOutcome(outcome.verdict());
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        WriteOutcome outcome = super.writeLeases(writer, writes);
        lostAborts.onWrite(outcome.verdict());
        if (outcome.verdict() == Verdict.CONFLICT) {
            // An operation with a short budget is over before a transaction could show the document.
            onLeaseConflict(writer);
        }
        return outcome;
    }

    private void onOutcome(Verdict verdict) {
        switch (verdict) {
            case APPLIED, MISSED, WITHHELD, LEASE_CONFLICT -> {
                stall.onUnblocked();
                reaper.onProgress();
                blockedSinceNanos = null;
            }
            default -> {}
        }
    }

    /** Usually a caller's transaction holds the lease and is left alone; then this costs one listing per second. */
    private void onLeaseConflict(String writer) {
        if (leaseConflictsSinceNanos == null) {
            leaseConflictsSinceNanos = clock.nowNanos();
            reaper.listUnlessRecent(writer);
        } else if (clock.nowNanos() - leaseConflictsSinceNanos >= StuckTransactionReaper.LISTING_INTERVAL_NANOS) {
            leaseConflictsSinceNanos = null;
            try {
                reaper.endStuck(writer, "a lease");
            } catch (LeaseException e) {
                reaper.logFailure(writer, e);
            }
        }
    }

    private boolean isClockWritable(String writer) {
        LOG.debug(
                "namespace '{}', writer '{}': conflicts do not end; trying the clock document alone",
                namespace,
                writer);
        try {
            // Ticks and idle transactions must be known from before the wait; what was read last may be old.
            read(Set.of(), writer);
            reaper.list(writer);
            return writeClock(new ClockWrite.Barrier(writer)).verdict() == Verdict.APPLIED;
        } catch (LeaseException e) {
            reaper.logFailure(writer, e);
            return false;
        }
    }

    /**
     * The time of the read here does not count: in a fail-over it waits for a new primary.
     *
     * @param writeEndedNanos when a blocked write of the clock document had failed
     */
    private void recoverIfBlocked(String writer, long writeEndedNanos) {
        try {
            read(Set.of(), writer);
            if (stall.blockedNanos(writeEndedNanos) < BLOCKED_NANOS_MIN) {
                reaper.list(writer);
                return;
            }
            boolean again = noteBlocked(writeEndedNanos);
            // A first listing may find nothing: no transaction counts as stuck yet, or a fail-over has just ended it.
            if (!reaper.endStuck(writer, "the clock document") && again) {
                reaper.warnOnce(writer, "no engine's transaction that this database user may end was found idle");
            }
        } catch (LeaseUnavailableException e) {
            stall.onUnblocked();
            reaper.logFailure(writer, e);
        } catch (LeaseException e) {
            reaper.warnOnce(writer, String.valueOf(e.getMessage()));
        }
    }

    /** Returns whether the clock document has been blocked for a second. */
    private boolean noteBlocked(long nowNanos) {
        if (blockedSinceNanos == null) {
            blockedSinceNanos = nowNanos;
        }
        metrics.record(new ClockBlocked());
        return nowNanos - blockedSinceNanos >= BLOCKED_NANOS_MIN;
    }

    /**
     * Usually the engine's last write has ended a lost abort. An evicted engine has no entry to remove, and writes
     * nothing else.
     */
    @Override
    public void close() {
        try {
            lostAborts.endNow();
        } finally {
            super.close();
        }
    }
}
