package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.fakes.FakeClock;
import dev.leasehold.engine.fakes.FakeRuntime;
import dev.leasehold.engine.fakes.ScriptedStore;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import java.util.function.Function;
import java.util.function.Supplier;

/** An engine as callers have it, with nothing real behind it. */
final class FakeEngine {

    static final String NAMESPACE = "billing";
    static final long SECOND = 1_000_000_000;
    static final long BUDGET = 10 * SECOND;

    final FakeClock clock;
    final FakeRuntime runtime;
    final ScriptedStore store = new ScriptedStore();
    final LeaseEngine engine;

    private FakeEngine(long wallNanos, EngineMetrics metrics) {
        clock = new FakeClock(wallNanos);
        runtime = new FakeRuntime(clock);
        engine = start(NAMESPACE, BUDGET, runtime, metrics, () -> store);
    }

    static FakeEngine atZ() {
        return new FakeEngine(FakeClock.Z, EngineMetrics.NONE);
    }

    static FakeEngine metered(EngineMetrics metrics) {
        return new FakeEngine(FakeClock.Z, metrics);
    }

    static FakeEngine at(long wallNanos) {
        return new FakeEngine(wallNanos, EngineMetrics.NONE);
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
