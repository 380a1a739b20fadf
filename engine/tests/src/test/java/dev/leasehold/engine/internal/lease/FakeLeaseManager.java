package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.election.Elections;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The handles of one engine, with nothing real behind them. */
final class FakeLeaseManager {

    static final long SECOND = 1_000_000_000;
    static final long BUDGET = 10 * SECOND;
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    private static final EngineSettings SETTINGS = new EngineSettings(
            FakeOperations.NAMESPACE,
            1,
            "a",
            new Drift(1000),
            BUDGET,
            5 * SECOND,
            3600 * SECOND,
            3600 * SECOND,
            FakeOperations.SESSION_NANOS,
            FakeOperations.SESSION_NANOS / 3,
            EngineSettings.SINGLE_WRITES_MAX,
            false);

    final TestClock clock = new TestClock(TestClock.Z);
    final SteppedRuntime runtime = new SteppedRuntime(clock);
    final FakeOperations operations = new FakeOperations(new StampClock(clock), runtime.startThread("engine"));
    final FakeChanges changes = new FakeChanges();
    final RecordedMetrics meters = new RecordedMetrics();
    final EngineCallbacks callbacks = runtime.startCallbacks("callbacks");
    final LeaseManager leaseManager = new LeaseManager(
            SETTINGS,
            new Operations(SETTINGS, operations, runtime, meters),
            operations,
            runtime,
            meters,
            this::callBack,
            changes::open,
            tenure -> {
                throw new UnsupportedOperationException("assertions need a collection");
            });
    final Elections elections = new Elections(leaseManager);

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
        return leaseManager.tryAcquire(request, Duration.ZERO).orElseThrow();
    }

    Lease acquire(String name) throws InterruptedException {
        return acquire(LeaseRequest.of(name));
    }

    /** Begins to wait, and lets everything happen that happens at once. */
    CompletableFuture<Acquisition> waits(LeaseRequest request, Duration wait) {
        CompletableFuture<Acquisition> waiting =
                leaseManager.tryAcquireAsync(request, wait).toCompletableFuture();
        runtime.runDue();
        return waiting;
    }
}
