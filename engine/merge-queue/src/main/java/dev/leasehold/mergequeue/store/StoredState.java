package dev.leasehold.mergequeue.store;

import dev.leasehold.mergequeue.queue.QueueState;

/**
 * A state as it stands in the database.
 *
 * @param state what was read or written
 * @param version how many writes there were; 0 for a provider without a document
 */
public record StoredState(QueueState state, long version) {

    /** Of a provider that was never asked. */
    static final StoredState NONE = new StoredState(QueueState.EMPTY, 0);
}
