package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
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
     * @param kind the operation in one word
     * @param lease its name
     * @param outcome the answer
     * @param prior status of the lease when the operation was last decided; null if it never was
     * @param waitedNanos how long the caller waited
     */
    record OperationEnded(
            String kind,
            String lease,
            OperationOutcome outcome,
            @Nullable LeaseStatus prior,
            long waitedNanos) implements EngineEvent {}

    /**
     * A transaction was tried.
     *
     * @param verdict its outcome
     * @param operations how many operations shared it
     */
    record TransactionTried(Verdict verdict, int operations) implements EngineEvent {}

    /**
     * A transaction held the clock document.
     *
     * @param nanos an upper bound of how long
     */
    record ClockHeld(long nanos) implements EngineEvent {}

    /**
     * A commit was answered, or no answer was waited for any longer.
     *
     * @param nanos since it was sent
     */
    record CommitEnded(long nanos) implements EngineEvent {}

    /** An unknown outcome was resolved. */
    record UnknownResolved(Resolution resolution) implements EngineEvent {}

    /** A stuck transaction of an engine was ended. */
    record StuckTransactionEnded() implements EngineEvent {}

    /** The clock document was found blocked without progress. */
    record ClockBlocked() implements EngineEvent {}

    /**
     * Leases and clock document were read into the lease cache.
     *
     * @param nanos from sending the read until its answer
     */
    record LeasesRead(long nanos) implements EngineEvent {}

    /**
     * Entries of a clock document were read.
     *
     * @param partition whose clock document it is
     * @param ownWriter this engine's present writer in the partition, which may be among the entries
     * @param entries as read
     * @param readEndedNanos local time after the answer
     */
    record WritersRead(String partition, String ownWriter, Collection<WriterEntry> entries, long readEndedNanos)
            implements EngineEvent {}

    /** The whole clock document of a partition was read. Its entries were reported as {@link WritersRead} before. */
    record ClockSurveyed(String partition, ClockSurvey survey) implements EngineEvent {}

    /**
     * Leases were written without a transaction.
     *
     * @param verdict the outcome of all of them together
     * @param nanos from sending them until the answer
     */
    record LeasesWritten(Verdict verdict, long nanos) implements EngineEvent {}

    /** A heartbeat was acknowledged, or failed. */
    record HeartbeatEnded(boolean acknowledged) implements EngineEvent {}

    /** A tenure ended that its holder did not release. */
    record TenureLost(LeaseLoss.Reason reason) implements EngineEvent {}

    /**
     * A waiter that a release had woken got the lease.
     *
     * @param nanos since it was woken
     */
    record HandedOver(long nanos) implements EngineEvent {}
}
