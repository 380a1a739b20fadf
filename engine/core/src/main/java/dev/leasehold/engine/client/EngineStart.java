package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.FailStop;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Partition;
import dev.leasehold.engine.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts an engine: opens its stores, and puts it on them. */
public final class EngineStart {

    private final EngineSettings settings;
    private final FailStop runtime;
    private final Function<Partition, LeaseStore> stores;
    private final long beganNanos;
    private final List<StoreStart> starts = new ArrayList<>();

    private EngineStart(EngineSettings settings, EngineRuntime runtime, Function<Partition, LeaseStore> stores) {
        this.settings = settings;
        this.runtime = new FailStop(runtime);
        this.stores = stores;
        this.beganNanos = runtime.clock().monotonicNanos();
    }

    /**
     * Opens the stores and puts an engine on them.
     *
     * @param meters closed with the engine
     * @param callbackExecutor runs code of callers; null for threads of the engine's own
     * @param stores makes the store of a partition
     * @param assertions makes the assertion of a tenure
     */
    public static LeaseEngine start(
            EngineSettings settings,
            EngineRuntime runtime,
            EngineMeters meters,
            @Nullable Executor callbackExecutor,
            Function<Partition, LeaseStore> stores,
            Function<Tenure, LeaseAssertion> assertions) {
        EngineStart start = new EngineStart(settings, runtime, stores);
        start.open();
        List<CommitPath> paths = start.paths(meters);
        paths.forEach(CommitPath::survey);
        return new LeaseClient(settings, start.runtime, paths, meters, callbackExecutor, assertions);
    }

    /**
     * The first partition comes first, alone: engines that do not agree on the number of partitions meet at its clock document,
     * and one that is refused there has written nothing.
     */
    private void open() {
        List<Partition> partitions = Partition.all(settings.namespace(), settings.partitions());
        try {
            await(begin(partitions.get(0)));
            partitions.subList(1, partitions.size()).forEach(this::begin);
            for (StoreStart start : starts.subList(1, starts.size())) {
                await(start);
            }
        } catch (RuntimeException | Error e) {
            starts.forEach(StoreStart::abandon);
            throw e;
        }
    }

    private StoreStart begin(Partition partition) {
        StoreStart start = new StoreStart(settings.in(partition), runtime, () -> stores.apply(partition));
        starts.add(start);
        return start;
    }

    private void await(StoreStart start) {
        long goneNanos = runtime.clock().monotonicNanos() - beganNanos;
        start.await(Math.max(0, settings.operationBudgetNanos() - goneNanos));
    }

    private List<CommitPath> paths(EngineMeters meters) {
        StampClock clock = new StampClock(runtime.clock());
        List<CommitPath> paths = new ArrayList<>();
        for (StoreStart start : starts) {
            paths.add(start.path(paths.isEmpty() ? clock : clock.withStampsOfItsOwn(), meters));
        }
        return paths;
    }
}
