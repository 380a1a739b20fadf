package dev.leasehold.engine.internal.store;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one lease as stored.
 *
 * @param waiters in the order of their arrival; elements that break the schema are left out
 * @param corrupt what is wrong with the document as a whole; null if nothing is. It takes no ticket then
 */
public record StoredQueue(
        String name, List<Waiter> waiters, @Nullable String corrupt) {

    /** How many tickets stand in one document at most. What is sent behind them is dropped. */
    public static final int TICKETS_MAX = 128;

    public StoredQueue {
        waiters = List.copyOf(waiters);
    }

    /** The queue of a lease that has no queue document. */
    public static StoredQueue empty(String name) {
        return new StoredQueue(name, List.of(), null);
    }

    /** The tickets in the order in which they are served: higher priorities first, then as they arrived. */
    public List<Waiter> inOrder() {
        return waiters.stream()
                .sorted(Comparator.comparingInt(Waiter::priority).reversed())
                .toList();
    }

    /** Whether a further ticket would be dropped or refused. */
    public boolean isFull() {
        return corrupt != null || waiters.size() >= TICKETS_MAX;
    }
}
