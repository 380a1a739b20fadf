package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.LocalInstant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tickets of a queue as people are shown them. */
final class WaiterList {

    private WaiterList() {}

    /**
     * In the order in which they are served.
     *
     * @param entries of all writers, read after the queue
     */
    static List<WaiterDetails> of(StoredQueue queue, Map<String, WriterEntry> entries) {
        List<WaiterDetails> waiters = new ArrayList<>();
        for (Waiter waiter : queue.inOrder()) {
            WriterEntry entry = entries.get(waiter.writer());
            waiters.add(new WaiterDetails(
                    waiters.size() + 1,
                    waiter.writer(),
                    waiter.holder(),
                    waiter.priority(),
                    waiter.comment(),
                    LocalInstant.of(waiter.stampNanos()),
                    entry != null,
                    entry instanceof WriterEntry.Sound sound
                            ? Duration.ofNanos(Math.max(0, sound.timeNanos() - waiter.stampNanos()))
                            : null));
        }
        return List.copyOf(waiters);
    }
}
