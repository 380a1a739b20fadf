package dev.leasehold.engine.client;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.commit.Look;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.handle.Operations;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.time.StampClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commit paths as handles see them. */
final class EngineOperations implements Operations {

    private final Partitions partitions;

    EngineOperations(Partitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public StampClock clock() {
        return partitions.clock();
    }

    @Override
    public String writer(String lease) {
        return partitions.of(lease).writer();
    }

    @Override
    public boolean liesIn(String partition, String lease) {
        return partitions.idOf(lease).equals(partition);
    }

    @Override
    public void submit(PendingOperation operation) {
        partitions.of(operation.request().name()).groupCommit().submit(operation);
    }

    @Override
    public List<CompletableFuture<Look>> look(Set<String> names, long deadlineNanos) {
        return partitions.split(names).entrySet().stream()
                .map(part -> part.getKey().reads().look(part.getValue(), deadlineNanos))
                .toList();
    }

    @Override
    public void heardOf(LeaseChange.Freed change) {
        LeaseDocument latest = change.latest();
        if (latest != null && latest.isVacant()) {
            partitions.of(change.name()).heardOf(latest);
        }
    }

    @Override
    public long remainingNanos(Tenure tenure) {
        return partitions.of(tenure).beliefs().remainingNanos(tenure);
    }

    @Override
    public long cutShortByWallNanos(Tenure tenure) {
        return partitions.of(tenure).beliefs().cutShortByWallNanos(tenure);
    }

    @Override
    public LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure) {
        return partitions.of(tenure).beliefs().cutShortBy(tenure);
    }

    @Override
    public long grantedNanos(Tenure tenure) {
        return partitions.of(tenure).beliefs().grantedNanos(tenure);
    }

    @Override
    public void giveUp(Tenure tenure) {
        partitions.of(tenure).beliefs().giveUp(tenure);
    }

    @Override
    public void endBeliefs() {
        partitions.closeBeliefs();
    }

    @Override
    public void forget(Tenure tenure) {
        partitions.of(tenure).beliefs().forget(tenure);
    }

    @Override
    public @Nullable Throwable renewalTrouble(Tenure tenure) {
        return partitions.of(tenure).renewalTrouble();
    }
}
