package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.LogContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failed attempts of an operation, and what they imply for the next attempt: whether it waits, reads first, and how
 * many operations share its transaction. Engine thread only, unless stated otherwise.
 */
final class RetryState {

    private static final Logger LOG = LoggerFactory.getLogger(RetryState.class);

    private final LogContext subject;
    private final String kind;
    private boolean parked;
    private boolean mustRead;
    private boolean contended;
    private boolean leaseBlocked;
    private int failures;
    private long turn;
    private int batchLimit = OperationQueue.BATCH_LIMIT;
    private volatile @Nullable LeaseException lastFailure;

    /** @param kind of operation */
    RetryState(LogContext subject, String kind) {
        this.subject = subject;
        this.kind = kind;
    }

    /** The number of failed attempts; starts anew after {@link #halved}. */
    int failures() {
        return failures;
    }

    /** Why the last attempt failed; null before the first failure. Any thread. */
    @Nullable LeaseException lastFailure() {
        return lastFailure;
    }

    /** The largest number of operations in its transaction, itself included. */
    int batchLimit() {
        return batchLimit;
    }

    /** Its place among the operations of other leases: the smaller one is tried first. */
    long turn() {
        return turn;
    }

    void turn(long turn) {
        this.turn = turn;
    }

    boolean isParked() {
        return parked;
    }

    void parked(boolean parked) {
        this.parked = parked;
    }

    /** Whether the lease must be read before the next decision, even if it is in the cache. */
    boolean mustRead() {
        return mustRead;
    }

    void mustRead(boolean mustRead) {
        this.mustRead = mustRead;
    }

    /** Whether one of its writes met a conflict, or may have. From then on, batches may be sent so as to show the document. */
    boolean isContended() {
        return contended;
    }

    void failed(LeaseException failure) {
        failures++;
        lastFailure = failure;
        LOG.debug("{}: attempt {} to {} has not succeeded: {}", subject, failures, kind, failure.getMessage());
    }

    /** The server refused a statement of its transaction for good. A transaction of its own shows whether it was this one. */
    void alone(LeaseException failure) {
        failed(failure);
        batchLimit = 1;
    }

    /** Its transaction met a conflict, maybe on the clock document. */
    void conflicted(LeaseException failure) {
        failed(failure);
        contended();
    }

    /** Another transaction may be writing its lease. */
    void contended() {
        contended = true;
    }

    /** Whether a write of its lease alone met a conflict, which was on no other document. */
    boolean isLeaseBlocked() {
        return leaseBlocked;
    }

    /** A write of its lease alone met a conflict. */
    void leaseBlocked() {
        leaseBlocked = true;
    }

    /**
     * A lease in its transaction is written by another engine or by a caller. The next one has half the size and counts
     * as a first attempt.
     */
    void halved(LeaseException failure, int batchSize) {
        conflicted(failure);
        failures = 0;
        batchLimit = batchSize - batchSize / 2;
    }
}
