package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.FailStop;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the stores of an engine and starts the engine on them. */
public final class EngineStarter {

    private final EngineSettings settings;
    private final FailStop runtime;
    private final Function<Partition, LeaseStore> stores;
    private final long beganNanos;
    private final List<StoreOpener> openers = new ArrayList<>();

    private EngineStarter(EngineSettings settings, EngineRuntime runtime, Function<Partition, LeaseStore> stores) {
        this.settings = settings;
        this.runtime = new FailStop(runtime);
        this.stores = stores;
        this.beganNanos = runtime.clock().monotonicNanos();
    }

    /** @param callbackExecutor runs code of callers; null for threads of the engine's own */
    public static LeaseEngine start(
            EngineSettings settings,
            EngineRuntime runtime,
            EngineMetrics metrics,
            @Nullable Executor callbackExecutor,
            Function<Partition, LeaseStore> stores,
            Function<Tenure, LeaseAssertion> assertions) {
        EngineStarter starter = new EngineStarter(settings, runtime, stores);
        starter.open();
        List<PartitionEngine> partitions = starter.partitions(metrics);
        partitions.forEach(PartitionEngine::startProbe);
        return new DefaultLeaseEngine(settings, starter.runtime, partitions, metrics, callbackExecutor, assertions);
    }

    /**
     * Opens the first partition alone, then the others: its clock document refuses an engine with another number of
     * partitions, which then has written nothing.
     */
    private void open() {
        List<Partition> partitions = Partition.all(settings.namespace(), settings.partitions());
        try {
            await(begin(partitions.get(0)));
            partitions.subList(1, partitions.size()).forEach(this::begin);
            for (StoreOpener opener : openers.subList(1, openers.size())) {
                await(opener);
            }
        } catch (RuntimeException | Error e) {
            openers.forEach(StoreOpener::abandon);
            throw e;
        }
    }

    private StoreOpener begin(Partition partition) {
        StoreOpener opener = new StoreOpener(settings, partition, runtime, stores);
        openers.add(opener);
        return opener;
    }

    private void await(StoreOpener opener) {
        long elapsedNanos = runtime.clock().monotonicNanos() - beganNanos;
        opener.await(Math.max(0, settings.operationBudgetNanos() - elapsedNanos));
    }

    private List<PartitionEngine> partitions(EngineMetrics metrics) {
        StampClock clock = new StampClock(runtime.clock());
        List<PartitionEngine> partitions = new ArrayList<>();
        for (StoreOpener opener : openers) {
            partitions.add(opener.partition(partitions.isEmpty() ? clock : clock.withStampsOfItsOwn(), metrics));
        }
        return partitions;
    }
}
