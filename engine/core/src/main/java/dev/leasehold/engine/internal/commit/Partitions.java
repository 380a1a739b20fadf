package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the layers above need of the engines of the partitions, each lease being routed to its own. Safe for many threads;
 * nothing blocks or does I/O on the caller's thread.
 */
public interface Partitions {

    StampClock clock();

    /** The engine's current writer for a lease. */
    String writer(String lease);

    String idOf(String lease);

    /**
     * Runs a task on the thread that sends the operations of a lease, unless that waits for an answer of the database.
     *
     * @param lease its name
     * @param task must not block
     * @return false if the task was not accepted
     */
    boolean executeUnlessSending(String lease, Runnable task);

    /** Submits an operation. Its answer completes on an engine thread. */
    void submit(PendingOperation operation);

    /**
     * Reads leases of one partition, at most as many as one read takes.
     *
     * @param deadlineNanos on the engine's clock; after it the read is not retried
     * @return completes with one state for each name
     */
    CompletableFuture<LeaseReader.Polled> poll(Set<String> names, long deadlineNanos);

    /**
     * Remembers the vacant lease that a change reported, if it reported the document, so that the lease need not be read
     * before it is claimed. The claim is guarded, so it finds out whether the lease is still vacant.
     */
    void noteVacant(LeaseChange.Freed change);

    /**
     * A change has shown a lease that the session of this engine keeps. If it is not held here, {@link
     * dev.leasehold.engine.internal.session.LossListener#onUnknown} is told.
     */
    void judge(LeaseChange.OfLease change);

    /** Sends heartbeats often until an instant, in the partition of a lease, since other engines judge by them. */
    void hasten(String lease, long untilNanos);

    /** A change has reported that the clock document of a partition is gone: all its validities end. */
    void clockLost(String partition);

    /** A change has reported that the clock document of a partition was replaced: reads whether this engine's entry is in it. */
    void clockReplaced(String partition);

    /** A change has reported that a writer's entry in a partition was removed. It may be the one of this engine. */
    void writerGone(String partition, String writer);

    /** The validities in the partition of a tenure. */
    ValidityTracker validities(Tenure tenure);

    void endAllValidity();

    /** Why the last heartbeat of the session that keeps the tenure failed; null if it did not. */
    @Nullable Throwable heartbeatFailure(Tenure tenure);
}
