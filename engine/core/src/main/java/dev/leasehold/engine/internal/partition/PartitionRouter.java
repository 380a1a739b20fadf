package dev.leasehold.engine.internal.partition;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.health.HealthReport;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The partition engines of one namespace, and the one that a lease belongs to. Immutable. */
public final class PartitionRouter implements Partitions {

    private final String namespace;
    private final List<PartitionEngine> partitions;

    /** @param partitions in their order, at least one */
    public PartitionRouter(String namespace, List<PartitionEngine> partitions) {
        this.namespace = namespace;
        this.partitions = List.copyOf(partitions);
    }

    public String namespace() {
        return namespace;
    }

    public List<PartitionEngine> all() {
        return partitions;
    }

    /** The first partition, which every engine has. */
    public PartitionEngine first() {
        return partitions.get(0);
    }

    public PartitionEngine of(String lease) {
        return partitions.get(Partition.indexOf(lease, partitions.size()));
    }

    /** The names by partition, in the order given. */
    public Map<PartitionEngine, Set<String>> split(Set<String> leases) {
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
        return partitions.stream().map(PartitionEngine::health).toList();
    }

    /** As {@link PartitionEngine#fail}, in all partitions. */
    public void fail() {
        partitions.forEach(PartitionEngine::fail);
    }

    /** As {@link PartitionEngine#closeAfter}, for all partitions concurrently. */
    public CompletableFuture<Void> closeAfter(CompletableFuture<?> done, long limitNanos, boolean keeping) {
        return CompletableFuture.allOf(partitions.stream()
                .map(partition -> partition.closeAfter(done, limitNanos, keeping))
                .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public StampClock clock() {
        return first().clock();
    }

    @Override
    public String writer(String lease) {
        return of(lease).writer();
    }

    @Override
    public String idOf(String lease) {
        return of(lease).id();
    }

    @Override
    public boolean executeUnlessSending(String lease, Runnable task) {
        return of(lease).executeUnlessSending(task);
    }

    @Override
    public void submit(PendingOperation operation) {
        of(operation.name()).commitLoop().submit(operation);
    }

    @Override
    public CompletableFuture<LeaseReader.Polled> poll(Set<String> names, long deadlineNanos) {
        return of(names.iterator().next()).poll(names, deadlineNanos);
    }

    @Override
    public void noteVacant(LeaseChange.Freed change) {
        LeaseDocument latest = change.latest();
        if (latest != null && latest.isVacant()) {
            of(change.name()).noteVacant(latest);
        }
    }

    @Override
    public void judge(LeaseChange.OfLease change) {
        LeaseDocument latest = change.latest();
        if (latest != null) {
            of(change.name()).judge(latest);
        }
    }

    @Override
    public void hasten(String lease, long untilNanos) {
        of(lease).hasten(untilNanos);
    }

    private void with(String partition, Consumer<PartitionEngine> action) {
        partitions.stream().filter(each -> each.id().equals(partition)).forEach(action);
    }

    @Override
    public void clockLost(String partition) {
        with(partition, PartitionEngine::clockReportedLost);
    }

    @Override
    public void clockReplaced(String partition) {
        with(partition, PartitionEngine::examine);
    }

    @Override
    public void writerGone(String partition, String writer) {
        with(partition, engine -> engine.reportedGone(writer));
    }

    @Override
    public ValidityTracker validities(Tenure tenure) {
        return of(tenure.name()).validities();
    }

    @Override
    public void endAllValidity() {
        partitions.forEach(partition -> partition.validities().close());
    }

    @Override
    public @Nullable Throwable heartbeatFailure(Tenure tenure) {
        return of(tenure.name()).heartbeatFailure();
    }
}
