package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.function.Function;
import java.util.function.Supplier;

/** An engine as callers have it, run step by step on the simulated database. */
final class SteppedEngine {

    static final String NAMESPACE = "billing";
    static final long SECOND = 1_000_000_000;
    static final long BUDGET = 10 * SECOND;

    final TestClock clock;
    final SteppedRuntime runtime;
    final ScriptedStore store = new ScriptedStore();
    final LeaseEngine engine;

    private SteppedEngine(long wallNanos, EngineMetrics metrics) {
        clock = new TestClock(wallNanos);
        runtime = new SteppedRuntime(clock);
        engine = start(NAMESPACE, BUDGET, runtime, metrics, () -> store);
    }

    static SteppedEngine atZ() {
        return new SteppedEngine(TestClock.Z, EngineMetrics.NONE);
    }

    static SteppedEngine metered(EngineMetrics metrics) {
        return new SteppedEngine(TestClock.Z, metrics);
    }

    static SteppedEngine at(long wallNanos) {
        return new SteppedEngine(wallNanos, EngineMetrics.NONE);
    }

    static LeaseEngine start(String namespace, long budgetNanos, EngineRuntime runtime, Supplier<LeaseStore> stores) {
        return start(namespace, budgetNanos, runtime, EngineMetrics.NONE, stores);
    }

    private static LeaseEngine start(
            String namespace,
            long budgetNanos,
            EngineRuntime runtime,
            EngineMetrics metrics,
            Supplier<LeaseStore> stores) {
        return start(namespace, 1, budgetNanos, runtime, metrics, partition -> stores.get());
    }

    static LeaseEngine start(
            String namespace,
            int partitions,
            long budgetNanos,
            EngineRuntime runtime,
            EngineMetrics metrics,
            Function<Partition, LeaseStore> stores) {
        EngineSettings settings = new EngineSettings(
                namespace,
                partitions,
                "a",
                new Drift(0),
                budgetNanos,
                budgetNanos,
                3600 * SECOND,
                3600 * SECOND,
                30 * SECOND,
                10 * SECOND,
                EngineSettings.SINGLE_WRITES_MAX,
                EngineSettings.WAIT_QUEUE);
        return EngineStarter.start(
                settings,
                runtime,
                metrics,
                null,
                stores,
                tenure -> {
                    throw new UnsupportedOperationException("assertions need a collection");
                },
                new OnceTransaction(() -> {
                    throw new UnsupportedOperationException("sessions need a client");
                }));
    }
}
