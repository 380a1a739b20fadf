package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.ClockState;
import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.WriterState;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads on the caller's thread. Unlike an engine it needs no thread of its own, since it does nothing between calls. */
public final class Inspector implements LeaseInspector {

    private final String namespace;
    private final Partition first;
    private final List<InspectedPartition> partitions = new ArrayList<>();
    private final Function<Partition, LeaseEvents> events;
    /** Every read changes the observations, and a store is used by one thread at a time. */
    private final Lock lock = new ReentrantLock();

    private volatile boolean closed;

    /**
     * Nothing is sent yet.
     *
     * @param partitions how many the namespace has
     * @param stores makes the store of a partition, which is never opened
     * @param events opens the events of all partitions, by the first one
     */
    public Inspector(
            EngineSettings settings,
            EngineRuntime runtime,
            int partitions,
            Function<Partition, LeaseStore> stores,
            Function<Partition, LeaseEvents> events) {
        this.namespace = settings.namespace();
        this.events = events;
        StampClock clock = new StampClock(runtime.clock());
        List<Partition> all = Partition.all(namespace, partitions);
        this.first = all.get(0);
        all.forEach(partition ->
                this.partitions.add(new InspectedPartition(settings.in(partition), stores.apply(partition), clock)));
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public int partitions() {
        return partitions.size();
    }

    @Override
    public List<LeaseDetails> leases() {
        return locked(() -> partitions.stream()
                .flatMap(partition -> partition.leases().stream())
                .sorted(Comparator.comparing(LeaseDetails::name, NameOrder.AS_STORED))
                .toList());
    }

    @Override
    public LeaseDetails inspect(String name) {
        LeaseNames.checkName(name);
        return locked(
                () -> partitions.get(Partition.indexOf(name, partitions.size())).lease(name));
    }

    @Override
    public List<WriterState> writers() {
        return locked(() -> partitions.stream()
                .flatMap(partition -> partition.writers().stream().sorted(Comparator.comparing(WriterState::writer)))
                .toList());
    }

    @Override
    public List<ClockState> clocks() {
        return locked(
                () -> partitions.stream().map(InspectedPartition::clockState).toList());
    }

    @Override
    public LeaseEvents events() {
        return locked(() -> events.apply(first));
    }

    private <T> T locked(Supplier<T> reading) {
        lock.lock();
        try {
            if (closed) {
                throw new LeaseEngineClosedException("the inspector of namespace '" + namespace + "' is closed", null);
            }
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                partitions.forEach(InspectedPartition::close);
            }
        } finally {
            lock.unlock();
        }
    }
}
