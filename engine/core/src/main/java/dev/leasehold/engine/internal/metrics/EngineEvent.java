package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Something that an engine measures. All durations are differences of the engine's own clock. */
public sealed interface EngineEvent {

    /** How a commit or a single write of unknown outcome was found to have ended. */
    enum Resolution {
        /** It was applied. */
        LANDED,
        /** It was not applied and never will be. */
        NOT_LANDED,
        /** It can no longer be found out. */
        LOST
    }

    /**
     * An operation was answered, or its caller stopped waiting.
     *
     * @param prior status of the lease when the operation was last decided; null if it never was
     */
    record OperationEnded(
            String kind,
            String lease,
            OperationOutcome outcome,
            @Nullable LeaseStatus prior,
            long waitedNanos) implements EngineEvent {}

    /** A transaction was tried. */
    record TransactionTried(Verdict verdict, int operations) implements EngineEvent {}

    /** A transaction held the clock document, for at most so long. */
    record ClockHeld(long nanos) implements EngineEvent {}

    /** A commit was answered, so long after it was sent, or no answer was waited for any longer. */
    record CommitEnded(long nanos) implements EngineEvent {}

    /** An unknown outcome was resolved. */
    record UnknownResolved(Resolution resolution) implements EngineEvent {}

    /** A stuck transaction of an engine was ended. */
    record StuckTransactionEnded() implements EngineEvent {}

    /** The clock document was found blocked without progress, once more if it stays so: an alarm must not resolve meanwhile. */
    record ClockBlocked() implements EngineEvent {}

    /** Leases and clock document were read into the lease cache; the time is from sending the read until its answer. */
    record LeasesRead(long nanos) implements EngineEvent {}

    /**
     * Entries of a clock document were read.
     *
     * @param ownWriter this engine's present writer in the partition, which may be among the entries
     */
    record WritersRead(String partition, String ownWriter, Collection<WriterEntry> entries, long readEndedNanos)
            implements EngineEvent {}

    /** The whole clock document of a partition was read, with all its entries. */
    record ClockSurveyed(WritersRead read, long sizeBytes) implements EngineEvent {}

    /** Leases were written without a transaction, with one outcome for all; the time is until the answer. */
    record LeasesWritten(Verdict verdict, long nanos) implements EngineEvent {}

    /** A heartbeat was acknowledged, or failed. */
    record HeartbeatEnded(boolean acknowledged) implements EngineEvent {}

    /** A tenure ended that its holder did not release. */
    record TenureLost(LeaseLoss.Reason reason) implements EngineEvent {}

    /** What became of a lease that was waited for. */
    enum HandOverKind {
        /** Its release has begun the next tenure. */
        GRANTED,
        /** It was released with waiters, and is vacant. */
        VACANT,
        /** Another engine has granted it to a ticket of this one. */
        HEARD,
        /** It was granted to a ticket that no waiter has any more, and is released. */
        PASSED_ON
    }

    /** A lease was handed over, or was not. */
    record HandedOver(HandOverKind kind) implements EngineEvent {}

    /** A release has begun the next tenure; the time is from the begin of the release. */
    record HandOverAcknowledged(long nanos) implements EngineEvent {}

    /** The queue of a lease was read. */
    record QueueViewed(int tickets) implements EngineEvent {}
}
