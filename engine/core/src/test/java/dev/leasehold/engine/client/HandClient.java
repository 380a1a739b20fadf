package dev.leasehold.engine.client;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.byhand.HandRuntime;
import dev.leasehold.engine.byhand.ScriptedStore;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Partition;
import dev.leasehold.engine.time.Drift;
import java.util.function.Function;
import java.util.function.Supplier;

/** An engine as callers have it, with nothing real behind it. */
final class HandClient {

    static final String NAMESPACE = "billing";
    static final long SECOND = 1_000_000_000;
    static final long BUDGET = 10 * SECOND;

    final HandClock clock;
    final HandRuntime runtime;
    final ScriptedStore store = new ScriptedStore();
    final LeaseEngine engine;

    private HandClient(long wallNanos, EngineMeters meters) {
        clock = new HandClock(wallNanos);
        runtime = new HandRuntime(clock);
        engine = start(NAMESPACE, BUDGET, runtime, meters, () -> store);
    }

    static HandClient atZ() {
        return new HandClient(HandClock.Z, EngineMeters.NONE);
    }

    static HandClient metered(EngineMeters meters) {
        return new HandClient(HandClock.Z, meters);
    }

    static HandClient at(long wallNanos) {
        return new HandClient(wallNanos, EngineMeters.NONE);
    }

    static LeaseEngine start(String namespace, long budgetNanos, EngineRuntime runtime, Supplier<LeaseStore> stores) {
        return start(namespace, budgetNanos, runtime, EngineMeters.NONE, stores);
    }

    private static LeaseEngine start(
            String namespace,
            long budgetNanos,
            EngineRuntime runtime,
            EngineMeters meters,
            Supplier<LeaseStore> stores) {
        return start(namespace, 1, budgetNanos, runtime, meters, partition -> stores.get());
    }

    static LeaseEngine start(
            String namespace,
            int partitions,
            long budgetNanos,
            EngineRuntime runtime,
            EngineMeters meters,
            Function<Partition, LeaseStore> stores) {
        EngineSettings settings = new EngineSettings(
                namespace,
                partitions,
                "a",
                new Drift(0),
                budgetNanos,
                budgetNanos,
                3600 * SECOND,
                30 * SECOND,
                10 * SECOND,
                EngineSettings.SINGLE_WRITES_MAX);
        return EngineStart.start(settings, runtime, meters, null, stores, tenure -> {
            throw new UnsupportedOperationException("assertions need a collection");
        });
    }
}
