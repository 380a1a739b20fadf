package dev.leasehold.replicaset;

/**
 * There is no replica set to work with: no server was found, it did not start, or no node became primary in time. The
 * message says what was tried and why it did not work; for a server that did not start it ends with the tail of its
 * log.
 */
public final class ReplicaSetUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ReplicaSetUnavailableException(String message) {
        super(message);
    }

    ReplicaSetUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
