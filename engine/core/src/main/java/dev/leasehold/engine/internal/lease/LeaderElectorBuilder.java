package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Collects the callbacks of an election. */
final class LeaderElectorBuilder implements LeaderElection.Builder {

    private final BiFunction<Consumer<? super Lease>, Consumer<? super LeaseLoss>, LeaderElection> start;
    private Consumer<? super Lease> granted = lease -> {};
    private Consumer<? super LeaseLoss> lost = loss -> {};

    LeaderElectorBuilder(BiFunction<Consumer<? super Lease>, Consumer<? super LeaseLoss>, LeaderElection> start) {
        this.start = start;
    }

    @Override
    public LeaderElection.Builder onGranted(Consumer<? super Lease> callback) {
        if (callback == null) {
            throw new IllegalArgumentException("callback null is refused: it must take a Lease");
        }
        granted = callback;
        return this;
    }

    @Override
    public LeaderElection.Builder onLost(Consumer<? super LeaseLoss> callback) {
        if (callback == null) {
            throw new IllegalArgumentException("callback null is refused: it must take a LeaseLoss");
        }
        lost = callback;
        return this;
    }

    @Override
    public LeaderElection start() {
        return start.apply(granted, lost);
    }
}
