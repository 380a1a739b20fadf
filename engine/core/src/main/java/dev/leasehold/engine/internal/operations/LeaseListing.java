package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.LocalInstant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the states of leases, page by page. */
public final class LeaseListing {

    /** The order of names in the database, which differs from that of strings for surrogates. */
    static final Comparator<String> AS_STORED =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final PartitionRouter router;
    private final Operations operations;

    public LeaseListing(PartitionRouter router, Operations operations) {
        this.router = router;
        this.operations = operations;
    }

    interface PageAction {
        void take(LeaseReader.Page page) throws InterruptedException;
    }

    /** Passes all leases of a partition to the action, in descending order of ids. */
    void forEachPage(PartitionEngine partition, PageAction action) throws InterruptedException {
        LeaseReader.Page page = page(partition, null);
        action.take(page);
        while (page.lastId() != null) {
            page = page(partition, page.lastId());
            action.take(page);
        }
    }

    private LeaseReader.Page page(PartitionEngine partition, @Nullable String belowId) throws InterruptedException {
        return operations.read(deadlineNanos -> partition.reads().page(belowId, deadlineNanos), "listing");
    }

    /** All leases, in the order of their names. */
    public List<LeaseState> all() throws InterruptedException {
        List<LeaseState> states = new ArrayList<>();
        for (PartitionEngine partition : router.all()) {
            forEachPage(
                    partition,
                    page -> page.leases().forEach(observed -> states.add(observed.stateAt(page.nowNanos()))));
        }
        states.sort(Comparator.comparing(LeaseState::name, AS_STORED));
        return Collections.unmodifiableList(states);
    }

    /** The waiters of a lease. */
    List<WaiterDetails> waiters(String name) throws InterruptedException {
        PartitionEngine partition = router.of(name);
        return operations.ofStore(
                partition.reads(),
                store -> {
                    Snapshot read = store.read(Set.of(name), partition.writer());
                    StoredQueue queue = Objects.requireNonNull(read.queues().get(name));
                    return waiters(queue, store.survey().clock().writers());
                },
                "read of a wait queue");
    }

    /**
     * The tickets of a queue as people are shown them, in the order in which they are served.
     *
     * @param entries of all writers, read after the queue
     */
    static List<WaiterDetails> waiters(StoredQueue queue, Map<String, WriterEntry> entries) {
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

    /** Some leases, in the order of the names. */
    public List<LeaseState> of(Set<String> names) throws InterruptedException {
        operations.checkOpen();
        Map<String, LeaseState> states = new HashMap<>();
        for (Map.Entry<PartitionEngine, Set<String>> partition :
                router.split(names).entrySet()) {
            for (Set<String> part : LeaseReader.parts(partition.getValue())) {
                operations
                        .read(deadlineNanos -> partition.getKey().reads().poll(part, deadlineNanos), "refresh")
                        .states()
                        .forEach(state -> states.put(state.name(), state));
            }
        }
        return names.stream().map(states::get).toList();
    }
}
