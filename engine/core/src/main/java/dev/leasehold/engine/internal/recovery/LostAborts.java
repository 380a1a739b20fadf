package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.StampClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends transactions of this engine whose abort may have been lost. Engine thread only.
 *
 * <p>An abort has no reliable answer, and until it arrives, the documents that the transaction wrote are blocked. The next
 * write of the engine ends it, since it is in the same driver session. So if the engine writes nothing for a second, this
 * writes the clock document. Other engines cannot be relied on for that: they recognise a stuck transaction by the entry
 * of its writer, which is gone if the writer was evicted.
 */
final class LostAborts {

    private static final Logger LOG = LoggerFactory.getLogger(LostAborts.class);

    private static final long OPEN_NANOS_MAX = 1_000_000_000;

    private final String namespace;
    private final LeaseStore store;
    private final EngineThread thread;
    private final StampClock clock;
    private String writer = "";
    private boolean mayBeOpen;
    private boolean isScheduled;
    private long abortedNanos;

    LostAborts(String namespace, LeaseStore store, EngineThread thread, StampClock clock) {
        this.namespace = namespace;
        this.store = store;
        this.thread = thread;
        this.clock = clock;
    }

    /** A transaction of a writer of this engine has ended. */
    void onTransaction(String endedWriter, Verdict verdict) {
        mayBeOpen = switch (verdict) {
            case MISSED, WITHHELD, UNAVAILABLE -> true;
            // The server has ended it; or, if its outcome is unknown, the engine sends nothing else until that is
            // resolved.
            default -> false;
        };
        if (mayBeOpen) {
            writer = endedWriter;
            abortedNanos = clock.nowNanos();
            schedule(OPEN_NANOS_MAX);
        }
    }

    /** Something else was written in the same driver session. */
    void onWrite(Verdict verdict) {
        switch (verdict) {
            case UNKNOWN, UNAVAILABLE -> {}
            default -> mayBeOpen = false;
        }
    }

    private void schedule(long delayNanos) {
        if (!isScheduled) {
            thread.executeAfter(delayNanos, this::endIfDue);
            isScheduled = true;
        }
    }

    private void endIfDue() {
        isScheduled = false;
        if (mayBeOpen) {
            long leftNanos = abortedNanos + OPEN_NANOS_MAX - clock.nowNanos();
            if (leftNanos <= 0) {
                endNow();
            }
            if (mayBeOpen) {
                schedule(leftNanos > 0 ? leftNanos : OPEN_NANOS_MAX);
            }
        }
    }

    /** Writes the clock document if a transaction may be open. */
    void endNow() {
        if (mayBeOpen) {
            try {
                onWrite(store.writeClock(new ClockWrite.Barrier(writer)).verdict());
            } catch (LeaseException e) {
                LOG.debug(
                        "namespace '{}', writer '{}': could not end what an abort may have left: {}",
                        namespace,
                        writer,
                        e.getMessage());
            }
        }
    }
}
