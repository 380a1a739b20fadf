package dev.leasehold.engine.handle;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.byhand.HandRuntime;
import dev.leasehold.engine.meters.RecordedMeters;
import dev.leasehold.engine.runtime.EngineCallbacks;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.StampClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The handles of one engine, with nothing real behind them. */
final class HandLeases {

    static final long SECOND = 1_000_000_000;
    static final long BUDGET = 10 * SECOND;
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    final HandClock clock = new HandClock(HandClock.Z);
    final HandRuntime runtime = new HandRuntime(clock);
    final HandOperations operations = new HandOperations(new StampClock(clock), runtime.startThread("engine"));
    final HandChanges changes = new HandChanges();
    final RecordedMeters meters = new RecordedMeters();
    final EngineCallbacks callbacks = runtime.startCallbacks("callbacks");
    final Leases leases = new Leases(
            new HandleSettings(HandOperations.NAMESPACE, new Drift(1000), BUDGET, 5 * SECOND),
            operations,
            runtime,
            meters,
            this::callBack,
            changes::open,
            tenure -> {
                throw new UnsupportedOperationException("assertions need a collection");
            });

    private @Nullable Error atNextCallback;
    private boolean callbacksBlocked;

    /** The next callback finds no thread that takes it. */
    void throwAtNextCallback(Error error) {
        atNextCallback = error;
    }

    /** From now on all threads for callbacks are busy for good. */
    void blockCallbacks() {
        callbacksBlocked = true;
    }

    private void callBack(Runnable task) {
        if (callbacksBlocked) {
            return;
        }
        Error error = atNextCallback;
        if (error != null) {
            atNextCallback = null;
            throw error;
        }
        callbacks.execute(task);
    }

    Lease acquire(LeaseRequest request) throws InterruptedException {
        return leases.tryAcquire(request, Duration.ZERO).orElseThrow();
    }

    Lease acquire(String name) throws InterruptedException {
        return acquire(LeaseRequest.of(name));
    }

    /** Begins to wait, and lets everything happen that happens at once. */
    CompletableFuture<Acquisition> waits(LeaseRequest request, Duration wait) {
        CompletableFuture<Acquisition> waiting =
                leases.tryAcquireAsync(request, wait).toCompletableFuture();
        runtime.runDue();
        return waiting;
    }
}
