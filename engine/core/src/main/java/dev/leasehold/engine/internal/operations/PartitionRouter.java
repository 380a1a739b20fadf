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

/** The commit paths of one engine, one for each partition of its namespace, and to which of them a lease goes. Immutable. */
public final class PartitionRouter {

    private final String namespace;
    private final List<String> ids;
    private final List<PartitionEngine> paths;

    /**
     * All of an engine's.
     *
     * @param namespace as a whole
     * @param paths in the order of the partitions, at least one
     */
    public PartitionRouter(String namespace, List<PartitionEngine> paths) {
        this.namespace = namespace;
        this.ids = Partition.all(namespace, paths.size()).stream()
                .map(Partition::id)
                .toList();
        this.paths = List.copyOf(paths);
    }

    String namespace() {
        return namespace;
    }

    List<PartitionEngine> all() {
        return paths;
    }

    /** The one that there is in any case. */
    public PartitionEngine first() {
        return paths.get(0);
    }

    /** Local time of the engine, which is the same in all partitions. */
    public StampClock clock() {
        return first().clock();
    }

    /** Where a lease lies. */
    PartitionEngine of(String lease) {
        return paths.get(indexOf(lease));
    }

    private int indexOf(String lease) {
        return Partition.indexOf(lease, paths.size());
    }

    /** Where the lease of a tenure lies, which was checked. */
    PartitionEngine of(Tenure tenure) {
        return of(tenure.name());
    }

    /** The id of the partition in which a lease lies. */
    String idOf(String lease) {
        return ids.get(indexOf(lease));
    }

    /** The names that lie in each, in the order given. */
    Map<PartitionEngine, Set<String>> split(Set<String> leases) {
        if (paths.size() == 1) {
            return Map.of(first(), leases);
        }
        Map<PartitionEngine, Set<String>> split = new LinkedHashMap<>();
        leases.forEach(lease -> split.computeIfAbsent(of(lease), partition -> new LinkedHashSet<>())
                .add(lease));
        return split;
    }

    /** What is asked for the engine's health. */
    public List<HealthReport.Part> health() {
        return IntStream.range(0, paths.size())
                .mapToObj(index -> {
                    PartitionEngine partition = paths.get(index);
                    return new HealthReport.Part(ids.get(index), partition.storeHealth(), partition::isOutcomeUnknown);
                })
                .toList();
    }

    /** Ends all beliefs at once. */
    public void endAllValidity() {
        paths.forEach(partition -> partition.validities().close());
    }

    /** As {@link PartitionEngine#closeAfter}, all at the same time. */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        return CompletableFuture.allOf(paths.stream()
                .map(partition -> partition.closeAfter(done, limitNanos, keeping))
                .toArray(CompletableFuture<?>[]::new));
    }
}
