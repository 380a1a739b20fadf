package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.commit.PollResult;
import dev.leasehold.engine.internal.lease.LeaseOperations;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Routes each operation of the lease package to the partition of its lease. */
public final class RoutedOperations implements LeaseOperations {

    private final PartitionRouter router;

    public RoutedOperations(PartitionRouter router) {
        this.router = router;
    }

    @Override
    public StampClock clock() {
        return router.clock();
    }

    @Override
    public String writer(String lease) {
        return router.of(lease).writer();
    }

    @Override
    public boolean isInPartition(String partition, String lease) {
        return router.idOf(lease).equals(partition);
    }

    @Override
    public boolean executeIfIdle(String lease, Runnable task) {
        return router.of(lease).executeIfIdle(task);
    }

    @Override
    public void submit(PendingOperation operation) {
        router.of(operation.request().name()).commitLoop().submit(operation);
    }

    @Override
    public List<CompletableFuture<PollResult>> poll(Set<String> names, long deadlineNanos) {
        return router.split(names).entrySet().stream()
                .map(part -> part.getKey().reads().poll(part.getValue(), deadlineNanos))
                .toList();
    }

    @Override
    public void noteVacant(LeaseChange.Freed change) {
        LeaseDocument latest = change.latest();
        if (latest != null && latest.isVacant()) {
            router.of(change.name()).noteVacant(latest);
        }
    }

    @Override
    public long remainingNanos(Tenure tenure) {
        return router.of(tenure).validities().remainingNanos(tenure);
    }

    @Override
    public long cutShortByWallNanos(Tenure tenure) {
        return router.of(tenure).validities().cutShortByWallNanos(tenure);
    }

    @Override
    public LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure) {
        return router.of(tenure).validities().cutShortBy(tenure);
    }

    @Override
    public long grantedNanos(Tenure tenure) {
        return router.of(tenure).validities().grantedNanos(tenure);
    }

    @Override
    public void endValidity(Tenure tenure) {
        router.of(tenure).validities().end(tenure);
    }

    @Override
    public void endAllValidity() {
        router.endAllValidity();
    }

    @Override
    public void forget(Tenure tenure) {
        router.of(tenure).validities().forget(tenure);
    }

    @Override
    public @Nullable Throwable heartbeatFailure(Tenure tenure) {
        return router.of(tenure).heartbeatFailure();
    }
}
