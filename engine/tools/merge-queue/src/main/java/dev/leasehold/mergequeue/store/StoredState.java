package dev.leasehold.mergequeue.store;

import dev.leasehold.mergequeue.queue.QueueState;

/**
 * A state as it stands in the database.
 *
 * @param state what was read or written
 * @param version how many writes there were; 0 for a provider without a document, less for one whose document cannot be read
 */
public record StoredState(QueueState state, long version) {

    /** Of a provider that was never asked. */
    public static final StoredState NONE = new StoredState(QueueState.EMPTY, 0);

    /** Of a provider whose document cannot be read, and is to be replaced. */
    public static final StoredState DAMAGED = new StoredState(QueueState.EMPTY, -1);

    boolean isDamaged() {
        return version < 0;
    }

    long nextVersion() {
        return isDamaged() ? 1 : version + 1;
    }
}
