package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store whose clock document does not stay blocked by an engine that died, or was paused, inside a transaction. Used by
 * the engine's own thread alone.
 *
 * <p>A conflict as a rule does not say which document is being written. So when conflicts do not end, the clock document is
 * written alone. Either that gets through, and it is a lease that a caller's transaction holds, which concerns nobody else;
 * or it waits for a second. If {@code ticks} stood still all that time, one transaction has blocked the clock document
 * throughout, and those that engines left behind are ended.
 *
 * <p>What an engine left behind may also hold leases alone: where the guard of the clock did not hold, the leases behind it were
 * written all the same, and the abort may have been lost. So those are ended too when conflicts on leases do not end, and before the
 * writer is evicted by whose entry they are known.
 *
 * <p>Whether that helped shows only at the next attempt, which is up to whoever made this one.
 */
public final class StuckTransactionReaper extends ForwardingStore {

    private static final Logger LOG = LoggerFactory.getLogger(StuckTransactionReaper.class);

    private static final long BLOCKED_NANOS_MIN = 1_000_000_000;

    /** More than a rest that is too long, since looks take their time. */
    private static final long LOOKS_APART_NANOS = BLOCKED_NANOS_MIN + 50_000_000;

    /** Ordinary contention is over by then, so that the clock document is not written for nothing. */
    private static final long CONFLICTS_NANOS_MIN = 250_000_000;

    private final String namespace;
    private final StampClock clock;
    private final EngineMetrics metrics;
    private final StallDetector progress = new StallDetector();
    private final StuckTransactions stuckTransactions = new StuckTransactions();
    private final Set<UUID> ended = new HashSet<>();
    private @Nullable Long conflictsSinceNanos;
    private @Nullable Long leaseConflictsSinceNanos;
    private @Nullable Long lookedNanos;
    private @Nullable Long blockedSinceNanos;
    private boolean warned;

    public StuckTransactionReaper(String namespace, LeaseStore store, StampClock clock, EngineMetrics metrics) {
        super(store);
        this.namespace = namespace;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        Snapshot snapshot = super.read(names, writer);
        progress.onRead(snapshot.clock().ticks(), clock.nowNanos());
        return snapshot;
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        endTransactionsLeftBy(
                transaction.clock().evictedWriters(), transaction.clock().writer());
        long begunNanos = clock.nowNanos();
        WriteOutcome outcome = super.commit(transaction, mayCommit);
        if (outcome.verdict() != Verdict.CONFLICT) {
            conflictsSinceNanos = null;
            noteProgress(outcome);
            if (outcome.verdict() == Verdict.LEASE_CONFLICT) {
                noteLeaseConflict(transaction.clock().writer());
            }
        } else if (conflictsSinceNanos == null) {
            conflictsSinceNanos = begunNanos;
        } else if (clock.nowNanos() - conflictsSinceNanos >= CONFLICTS_NANOS_MIN) {
            conflictsSinceNanos = null;
            if (clockIsFree(transaction.clock().writer())) {
                noteLeaseConflict(transaction.clock().writer());
            }
        }
        return outcome;
    }

    /** Before they are evicted, since without their entries nobody would know what they left open for an engine's. */
    private void endTransactionsLeftBy(Map<String, Long> evicted, String writer) {
        if (!evicted.isEmpty()) {
            try {
                endLeft(StuckTransactions.leftBy(evicted, idleTransactions(), writers()));
            } catch (LeaseException e) {
                logNotLooked(writer, e);
            }
        }
    }

    private void endLeft(Map<UUID, String> left) {
        if (!left.isEmpty()) {
            endTransactions(left.keySet());
            left.values().forEach(leftBy -> {
                metrics.stuckTransactionEnded();
                LOG.warn(
                        "namespace '{}', writer '{}': its session is over, and its transaction was still open and was ended; that writer"
                                + " was killed, or paused in the middle of it, or its abort was lost",
                        namespace,
                        leftBy);
            });
        }
    }

    /** As a rule it is a caller's transaction, which is left alone; then a look in a second is all that it costs. */
    private void noteLeaseConflict(String writer) {
        if (leaseConflictsSinceNanos == null) {
            leaseConflictsSinceNanos = clock.nowNanos();
            if (!hasLookedRecently()) {
                observeBeforehand(writer);
            }
        } else if (clock.nowNanos() - leaseConflictsSinceNanos >= LOOKS_APART_NANOS) {
            leaseConflictsSinceNanos = null;
            try {
                end(findStuck(), writer, "a lease");
            } catch (LeaseException e) {
                logNotLooked(writer, e);
            }
        }
    }

    /** It takes two looks to tell what is stuck, so that the first is had while it does not matter yet. */
    private void observeBeforehand(String writer) {
        try {
            findStuck();
        } catch (LeaseException e) {
            logNotLooked(writer, e);
        }
    }

    private boolean hasLookedRecently() {
        return lookedNanos != null && clock.nowNanos() - lookedNanos < LOOKS_APART_NANOS;
    }

    private Map<UUID, String> findStuck() {
        lookedNanos = clock.nowNanos();
        return stuckTransactions.among(idleTransactions(), writers());
    }

    /** Those who have little time for an operation never come to write the clock and the leases apart. */
    private boolean clockIsFree(String writer) {
        LOG.debug(
                "namespace '{}', writer '{}': conflicts do not end; trying the clock document alone",
                namespace,
                writer);
        try {
            // The ticks must be known from before the wait, and who is idle; what was seen last may be from long ago.
            read(Set.of(), writer);
            observeBeforehand(writer);
            return writeClock(new ClockWrite.Barrier(writer)).verdict() == Verdict.APPLIED;
        } catch (LeaseException e) {
            logNotLooked(writer, e);
            return false;
        }
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        if (write instanceof ClockWrite.Evict evict) {
            endTransactionsLeftBy(Map.of(evict.writer(), evict.timeNanos()), evict.writer());
        }
        long begunNanos = clock.nowNanos();
        WriteOutcome outcome = super.writeClock(write);
        switch (outcome.verdict()) {
            case CONFLICT, UNKNOWN -> {
                progress.onBlockedWrite(begunNanos);
                reapIfBlocked(write.writer(), clock.nowNanos());
            }
            case UNAVAILABLE -> progress.onUnavailable();
            default -> noteProgress(outcome);
        }
        return outcome;
    }

    private void noteProgress(WriteOutcome outcome) {
        switch (outcome.verdict()) {
            case APPLIED, MISSED, WITHHELD, LEASE_CONFLICT -> {
                progress.onProgress();
                ended.clear();
                blockedSinceNanos = null;
                warned = false;
            }
            default -> {}
        }
    }

    /** How long the read takes does not count: in a fail-over it waits for a new primary. */
    private void reapIfBlocked(String writer, long writeEndedNanos) {
        try {
            read(Set.of(), writer);
            if (progress.blockedNanos(writeEndedNanos) >= BLOCKED_NANOS_MIN) {
                boolean again = noteBlocked(writeEndedNanos);
                endStuckTransactions(writer, again);
            } else {
                observeBeforehand(writer);
            }
        } catch (LeaseUnavailableException e) {
            progress.onUnavailable();
            logNotLooked(writer, e);
        } catch (LeaseException e) {
            warnOnce(writer, String.valueOf(e.getMessage()));
        }
    }

    private void logNotLooked(String writer, LeaseException trouble) {
        LOG.debug(
                "namespace '{}', writer '{}': could not look into what is blocked: {}",
                namespace,
                writer,
                trouble.getMessage());
    }

    /** Whether that was noted a second ago already. */
    private boolean noteBlocked(long nowNanos) {
        if (blockedSinceNanos == null) {
            blockedSinceNanos = nowNanos;
            metrics.clockBlocked();
        }
        return nowNanos - blockedSinceNanos >= BLOCKED_NANOS_MIN;
    }

    /**
     * At the first look a transaction may not count as stuck yet, or a fail-over may just have ended it; one that comes a
     * second later finds it, if it can be found at all.
     */
    private void endStuckTransactions(String writer, boolean again) {
        Map<UUID, String> stuck = findStuck();
        if (!stuck.isEmpty()) {
            end(stuck, writer, "the clock document");
        } else if (again) {
            warnOnce(writer, "no engine's transaction that this database user may end was found idle");
        }
    }

    private void end(Map<UUID, String> stuck, String writer, String blockedDocument) {
        if (!stuck.isEmpty()) {
            endTransactions(stuck.keySet());
            stuck.forEach((driverSession, stuckWriter) -> report(writer, driverSession, stuckWriter, blockedDocument));
        }
    }

    private void report(String writer, UUID driverSession, String stuckWriter, String blockedDocument) {
        if (ended.add(driverSession)) {
            metrics.stuckTransactionEnded();
            LOG.warn(
                    "namespace '{}', writer '{}': its transaction blocked {} and was ended; that writer was killed, or paused in"
                            + " the middle of it, or its abort was lost",
                    namespace,
                    stuckWriter,
                    blockedDocument);
        } else {
            warnOnce(writer, "the transaction of writer '" + stuckWriter + "' could not be ended");
        }
    }

    private void warnOnce(String writer, String why) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "namespace '{}', writer '{}': the clock document is blocked, so that nobody can write leases: by a transaction, until"
                            + " the server ends it, or because the server takes no writes, as under fsyncLock: {}",
                    namespace,
                    writer,
                    why);
        }
    }
}
