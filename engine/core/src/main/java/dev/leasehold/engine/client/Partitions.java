package dev.leasehold.engine.client;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.meters.Health;
import dev.leasehold.engine.store.Partition;
import dev.leasehold.engine.time.StampClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The commit paths of one engine, one for each partition of its namespace, and to which of them a lease goes. Immutable. */
final class Partitions {

    private final String namespace;
    private final List<String> ids;
    private final List<CommitPath> paths;

    /**
     * All of an engine's.
     *
     * @param namespace as a whole
     * @param paths in the order of the partitions, at least one
     */
    Partitions(String namespace, List<CommitPath> paths) {
        this.namespace = namespace;
        this.ids = Partition.all(namespace, paths.size()).stream()
                .map(Partition::id)
                .toList();
        this.paths = List.copyOf(paths);
    }

    String namespace() {
        return namespace;
    }

    List<CommitPath> all() {
        return paths;
    }

    /** The one that there is in any case. */
    CommitPath first() {
        return paths.get(0);
    }

    /** Local time of the engine, which is the same in all partitions. */
    StampClock clock() {
        return first().clock();
    }

    /** Where a lease lies. */
    CommitPath of(String lease) {
        return paths.get(indexOf(lease));
    }

    private int indexOf(String lease) {
        return Partition.indexOf(lease, paths.size());
    }

    /** Where the lease of a tenure lies, which was checked. */
    CommitPath of(Tenure tenure) {
        return of(tenure.name());
    }

    /** The id of the partition in which a lease lies. */
    String idOf(String lease) {
        return ids.get(indexOf(lease));
    }

    /** The names that lie in each, in the order given. */
    Map<CommitPath, Set<String>> split(Set<String> leases) {
        if (paths.size() == 1) {
            return Map.of(first(), leases);
        }
        Map<CommitPath, Set<String>> split = new LinkedHashMap<>();
        leases.forEach(lease ->
                split.computeIfAbsent(of(lease), path -> new LinkedHashSet<>()).add(lease));
        return split;
    }

    /** What is asked for the engine's health. */
    List<Health.Part> health() {
        return IntStream.range(0, paths.size())
                .mapToObj(index -> {
                    CommitPath path = paths.get(index);
                    return new Health.Part(ids.get(index), path.dealings(), path::isInDoubt);
                })
                .toList();
    }

    /** Ends all beliefs at once. */
    void closeBeliefs() {
        paths.forEach(path -> path.beliefs().close());
    }

    /** As {@link CommitPath#closeAfter}, all at the same time. */
    CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        return CompletableFuture.allOf(paths.stream()
                .map(path -> path.closeAfter(done, limitNanos, keeping))
                .toArray(CompletableFuture<?>[]::new));
    }
}
