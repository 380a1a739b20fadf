package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.commit.PollResult;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What handles need of the engine below them. Safe for many threads; nothing here blocks or does I/O on the caller's thread. */
public interface LeaseOperations {

    StampClock clock();

    /** Under which name the engine writes a lease at present. */
    String writer(String lease);

    /** Whether a lease lies in a partition. */
    boolean isInPartition(String partition, String lease);

    /**
     * Runs a task on the thread that sends what is asked of a lease, if that has nothing else to do.
     *
     * @param lease its name
     * @param task must not block
     * @return false if the task was not taken
     */
    boolean executeIfIdle(String lease, Runnable task);

    /** Takes an operation on. Its answer comes through its future, on a thread of the engine. */
    void submit(PendingOperation operation);

    /**
     * Looks at leases, at most as many as one read takes.
     *
     * @param deadlineNanos on the engine's clock; past it nothing more is tried
     * @return complete, taken together, with one state for each name. There is one for each partition that is read: what
     *     one cannot tell keeps nobody from what the others can
     */
    List<CompletableFuture<PollResult>> poll(Set<String> names, long deadlineNanos);

    /**
     * Takes note of how a lease was vacant a moment ago, if that is told, so that it need not be read before it is claimed: who claims
     * it finds out whether it still is.
     */
    void noteVacant(LeaseChange.Freed change);

    /** How long the belief in a tenure lasts yet, by whichever clock ends it first; 0 when there is none. */
    long remainingNanos(Tenure tenure);

    /** How much was left by monotonic time of a belief that has ended by time of day; 0 if it has not. */
    long cutShortByWallNanos(Tenure tenure);

    /** Why a belief was ended by somebody, in the database or on the way there; null if it was not. */
    LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure);

    /** For how long a belief was granted last, over or not; 0 for none. */
    long grantedNanos(Tenure tenure);

    /** Ends a belief for good. */
    void endValidity(Tenure tenure);

    /** Ends all beliefs for good. */
    void endAllValidity();

    /** The tenure is certainly over: nothing can form its belief any more. */
    void forget(Tenure tenure);

    /** Why the session that keeps the tenure was not renewed the last time it was tried; null if it was. */
    @Nullable Throwable heartbeatFailure(Tenure tenure);
}
