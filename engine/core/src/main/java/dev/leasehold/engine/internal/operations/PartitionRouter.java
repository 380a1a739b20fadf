package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.metrics.HealthReport;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The partition engines of one namespace, and the one that a lease belongs to. Immutable. */
public final class PartitionRouter {

    private final String namespace;
    private final List<String> ids;
    private final List<PartitionEngine> partitions;

    /**
     * Routes to these.
     *
     * @param namespace the whole namespace
     * @param partitions in the order of the partitions, at least one
     */
    public PartitionRouter(String namespace, List<PartitionEngine> partitions) {
        this.namespace = namespace;
        this.ids = Partition.all(namespace, partitions.size()).stream()
                .map(Partition::id)
                .toList();
        this.partitions = List.copyOf(partitions);
    }

    String namespace() {
        return namespace;
    }

    List<PartitionEngine> all() {
        return partitions;
    }

    /** The first partition, which every engine has. */
    public PartitionEngine first() {
        return partitions.get(0);
    }

    /** The engine's clock, whose time is the same in all partitions. */
    public StampClock clock() {
        return first().clock();
    }

    /** The partition of a lease. */
    PartitionEngine of(String lease) {
        return partitions.get(indexOf(lease));
    }

    private int indexOf(String lease) {
        return Partition.indexOf(lease, partitions.size());
    }

    /** The partition of a validated tenure. */
    PartitionEngine of(Tenure tenure) {
        return of(tenure.name());
    }

    /** The id of the partition of a lease. */
    String idOf(String lease) {
        return ids.get(indexOf(lease));
    }

    /** The names by partition, in the order given. */
    Map<PartitionEngine, Set<String>> split(Set<String> leases) {
        if (partitions.size() == 1) {
            return Map.of(first(), leases);
        }
        Map<PartitionEngine, Set<String>> split = new LinkedHashMap<>();
        leases.forEach(lease -> split.computeIfAbsent(of(lease), partition -> new LinkedHashSet<>())
                .add(lease));
        return split;
    }

    /** The parts of the engine's health report. */
    public List<HealthReport.Part> health() {
        return IntStream.range(0, partitions.size())
                .mapToObj(index -> {
                    PartitionEngine partition = partitions.get(index);
                    return new HealthReport.Part(ids.get(index), partition.storeHealth(), partition::isOutcomeUnknown);
                })
                .toList();
    }

    /** Ends all validities at once. */
    public void endAllValidity() {
        partitions.forEach(partition -> partition.validities().close());
    }

    /** As {@link PartitionEngine#closeAfter}, for all partitions concurrently. */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        return CompletableFuture.allOf(partitions.stream()
                .map(partition -> partition.closeAfter(done, limitNanos, keeping))
                .toArray(CompletableFuture<?>[]::new));
    }
}
