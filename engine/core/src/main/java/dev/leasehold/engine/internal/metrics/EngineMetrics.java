package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an engine reports what it does. Operations are reported by the threads of their callers, everything else by the
 * engine's own threads, of which a namespace in partitions has several; what is said of the writers and the clock document of a
 * partition, by one at a time. Nothing here blocks, and what the engine is given never throws.
 */
public interface EngineMetrics {

    /** For engines that nobody watches. */
    EngineMetrics NONE = new NoMetrics();

    /** How a commit in doubt was found to have ended. */
    enum Resolution {
        /** It was carried out. */
        LANDED,
        /** It was not, and never will be. */
        NOT_LANDED,
        /** Nobody will ever know. */
        LOST
    }

    /** Whether anybody watches, so that what is done for the meters alone is worth doing. */
    boolean measures();

    /**
     * A caller was told how its operation ended.
     *
     * @param kind the operation in one word
     * @param lease its name
     * @param operationOutcome what was said
     * @param prior how the lease stood when it was last decided; null when it never was
     * @param waitedNanos how long the caller waited
     */
    void operation(
            String kind,
            String lease,
            OperationOutcome operationOutcome,
            @Nullable LeaseStatus prior,
            long waitedNanos);

    /**
     * A transaction was tried.
     *
     * @param verdict what became of it
     * @param operations how many shared it
     */
    void transaction(Verdict verdict, int operations);

    /** A transaction held the clock document for at most so long. */
    void clockHeld(long nanos);

    /** A commit was answered, or given up, after so long. */
    void commitEnded(long nanos);

    /** A commit in doubt is in doubt no more. */
    void unknownResolved(Resolution resolution);

    /** A transaction of another engine that blocked the clock document was ended. */
    void stuckTransactionEnded();

    /** The clock document was found blocked without progress. */
    void clockBlocked();

    /** A read that feeds the view took so long. */
    void viewRead(long nanos);

    /**
     * Some entries of a clock document were read.
     *
     * @param partition whose clock document it is
     * @param own this engine's present writer there, which may be among them
     * @param entries as read
     * @param readEndedNanos local time after the answer was there
     */
    void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos);

    /** The whole clock document of a partition was read, and its entries were reported as seen before. */
    void clockProbed(String partition, ClockSurvey survey);

    /**
     * Leases were written without a transaction.
     *
     * @param verdict what became of all of them together
     * @param nanos from sending them to the answer
     */
    void leasesWritten(Verdict verdict, long nanos);

    /** A heartbeat was acknowledged, or was not. */
    void heartbeat(boolean acknowledged);

    /** A tenure ended that its holder did not give up. */
    void lost(LeaseLoss.Reason reason);

    /** A waiter was woken because a lease had been given up, and holds it now, so long after it was woken. */
    void handedOver(long nanos);

    /**
     * From now on these tell how many tenures are held, and how many acquisitions wait. Safe for many threads. Said once, when
     * the engine starts.
     */
    void holdings(IntSupplier held, IntSupplier waiting);

    /** The engine is closed. What stands for something present goes; what was counted stays. */
    void close();
}
