package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that leaves no transaction of its own open. Used by the engine's own thread alone.
 *
 * <p>A transaction that is not committed is aborted, but nobody learns whether the abort arrived. Until it does, what the transaction has
 * written is blocked for everybody. Whatever the engine writes next ends it, since the server ends a driver session's transaction when that
 * begins something else. So when nothing was written for a second, the clock document is.
 *
 * <p>Other engines cannot be relied on for that: they know a stuck transaction by the entry of its writer, which is gone when the writer was
 * evicted, and its next transaction is the one whose guard misses.
 */
public final class LostAborts extends ForwardingStore {

    private static final Logger LOG = LoggerFactory.getLogger(LostAborts.class);

    private static final long OPEN_NANOS_MAX = 1_000_000_000;

    private final String namespace;
    private final EngineThread thread;
    private final StampClock clock;
    private String writer = "";
    private boolean mayBeOpen;
    private boolean looks;
    private long undoneNanos;

    public LostAborts(String namespace, LeaseStore store, EngineThread thread, StampClock clock) {
        super(store);
        this.namespace = namespace;
        this.thread = thread;
        this.clock = clock;
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = super.commit(transaction, mayCommit);
        mayBeOpen = switch (outcome.verdict()) {
            case MISSED, WITHHELD, UNAVAILABLE -> true;
            // Ended by the server itself; or the engine does nothing else until it knows.
            default -> false;
        };
        if (mayBeOpen) {
            writer = transaction.clock().writer();
            undoneNanos = clock.nowNanos();
            lookLater(OPEN_NANOS_MAX);
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return noted(super.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        return noted(super.writeLeases(writer, writes));
    }

    private WriteOutcome noted(WriteOutcome outcome) {
        switch (outcome.verdict()) {
            case UNKNOWN, UNAVAILABLE -> {}
            default -> mayBeOpen = false;
        }
        return outcome;
    }

    private void lookLater(long delayNanos) {
        if (!looks) {
            thread.executeAfter(delayNanos, this::look);
            looks = true;
        }
    }

    private void look() {
        looks = false;
        if (mayBeOpen) {
            long leftNanos = undoneNanos + OPEN_NANOS_MAX - clock.nowNanos();
            if (leftNanos <= 0) {
                end();
            }
            if (mayBeOpen) {
                lookLater(leftNanos > 0 ? leftNanos : OPEN_NANOS_MAX);
            }
        }
    }

    private void end() {
        try {
            writeClock(new ClockWrite.Barrier(writer));
        } catch (LeaseException e) {
            LOG.debug(
                    "namespace '{}', writer '{}': could not end what an abort may have left: {}",
                    namespace,
                    writer,
                    e.getMessage());
        }
    }

    /** As a rule the engine's last write has ended it. One that was evicted has no entry to leave, and writes nothing. */
    @Override
    public void close() {
        try {
            if (mayBeOpen) {
                end();
            }
        } finally {
            super.close();
        }
    }
}
