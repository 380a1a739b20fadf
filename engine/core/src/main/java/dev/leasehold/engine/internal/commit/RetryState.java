package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an operation was tried in vain so far, and what follows from that for its next try. Used by the engine's own thread
 * alone, unless something else is said.
 */
final class RetryState {

    private static final Logger LOG = LoggerFactory.getLogger(RetryState.class);

    private final String namespace;
    private final Request request;

    private boolean parked;
    private boolean mustRead;
    private boolean contended;
    private int failures;
    private int batchLimit = OperationQueue.BATCH_LIMIT;
    private volatile @Nullable LeaseException lastFailure;

    RetryState(String namespace, Request request) {
        this.namespace = namespace;
        this.request = request;
    }

    /** How often it was tried in vain. */
    int failures() {
        return failures;
    }

    /** Why the last try came to nothing; null before the first has. Any thread may ask. */
    @Nullable LeaseException lastFailure() {
        return lastFailure;
    }

    /** With how many it shares a transaction at the most, itself included. */
    int batchLimit() {
        return batchLimit;
    }

    /** Whether it waits before it is tried again. */
    boolean isParked() {
        return parked;
    }

    void park() {
        parked = true;
    }

    void unpark() {
        parked = false;
    }

    boolean mustRead() {
        return mustRead;
    }

    /** Its answer would rest on memory; or the database has moved on since it was decided. */
    void requireRead() {
        mustRead = true;
    }

    void wasRead() {
        mustRead = false;
    }

    /** Whether one of its transactions met a conflict. From then on it is worth knowing which document it was about. */
    boolean isContended() {
        return contended;
    }

    void failed(LeaseException trouble) {
        failures++;
        lastFailure = trouble;
        LOG.debug(
                "{}: attempt {} to {} has not succeeded: {}",
                LogContext.of(namespace, request),
                failures,
                request.kind(),
                trouble.getMessage());
    }

    /** Something in its transaction was refused for good. Alone it will be seen whether it was this. */
    void alone(LeaseException trouble) {
        failed(trouble);
        batchLimit = 1;
    }

    /** Its transaction met a conflict, which may be about the clock. */
    void conflicted(LeaseException trouble) {
        failed(trouble);
        contended = true;
    }

    /** One of the leases in its transaction is written by somebody else. Half as many share the next, which is a new try. */
    void halved(LeaseException trouble, int batchSize) {
        conflicted(trouble);
        failures = 0;
        batchLimit = batchSize - batchSize / 2;
    }
}
