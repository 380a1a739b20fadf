package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.runtime.FailStop;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.OnceRunner;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the stores of an engine and starts the engine on them. */
public final class EngineStarter {

    private final EngineSettings settings;
    private final FailStop runtime;
    private final Function<Partition, LeaseStore> stores;
    private final long beganNanos;
    private final List<Opening> openings = new ArrayList<>();

    private EngineStarter(EngineSettings settings, EngineRuntime runtime, Function<Partition, LeaseStore> stores) {
        this.settings = settings;
        this.runtime = new FailStop(runtime);
        this.stores = stores;
        this.beganNanos = runtime.clock().monotonicNanos();
    }

    /**
     * Opens the stores and starts the engine.
     *
     * @param callbackExecutor runs code of callers; null for threads of the engine's own
     * @param onceRunner runs tasks of callers once per occurrence
     */
    public static LeaseEngine start(
            EngineSettings settings,
            EngineRuntime runtime,
            EngineMetrics metrics,
            @Nullable Executor callbackExecutor,
            Function<Partition, LeaseStore> stores,
            Function<Tenure, LeaseAssertion> assertions,
            OnceRunner onceRunner) {
        EngineStarter starter = new EngineStarter(settings, runtime, stores);
        try {
            starter.open();
            List<PartitionEngine> partitions = starter.partitions(metrics);
            partitions.forEach(PartitionEngine::startLooking);
            return new DefaultLeaseEngine(
                    settings, starter.runtime, partitions, metrics, callbackExecutor, assertions, onceRunner);
        } catch (RuntimeException | Error e) {
            starter.openings.forEach(Opening::abandon);
            throw e;
        }
    }

    /**
     * Opens the first partition alone, then the others: its clock document refuses an engine with another number of
     * partitions, which then has written nothing.
     */
    private void open() {
        List<Partition> partitions = Partition.all(settings.namespace(), settings.partitions());
        begin(partitions.get(0)).await();
        List<Partition> others = partitions.subList(1, partitions.size());
        others.stream().map(this::begin).toList().forEach(Opening::await);
    }

    private Opening begin(Partition partition) {
        Opening opening = new Opening(partition);
        openings.add(opening);
        return opening;
    }

    private List<PartitionEngine> partitions(EngineMetrics metrics) {
        StampClock clock = new StampClock(runtime.clock());
        List<PartitionEngine> partitions = new ArrayList<>();
        for (Opening opening : openings) {
            StampClock ofPartition = partitions.isEmpty() ? clock : clock.withStampsOfItsOwn();
            partitions.add(new PartitionEngine(
                    settings, opening.partition, opening.opened.join(), runtime, opening.thread, ofPartition, metrics));
        }
        return partitions;
    }

    /** Opens the store of one partition on its own thread, the only one that uses the store. */
    private final class Opening {

        private final Partition partition;
        private final EngineThread thread;
        private final CompletableFuture<LeaseStore> opened = new CompletableFuture<>();
        private volatile @Nullable LeaseStore made;

        Opening(Partition partition) {
            this.partition = partition;
            this.thread = runtime.startThread("leasehold-" + partition.id());
            thread.execute(this::openHere);
        }

        private void openHere() {
            LeaseStore store = null;
            try {
                store = stores.apply(partition);
                made = store;
                store.open();
                if (!opened.complete(store)) {
                    store.close();
                }
            } catch (RuntimeException | Error e) {
                if (store != null) {
                    store.close();
                }
                opened.completeExceptionally(e);
            }
        }

        /** Fails unless the store is open within the operation budget, counted from the start of the engine. */
        void await() {
            long elapsedNanos = runtime.clock().monotonicNanos() - beganNanos;
            try {
                if (!runtime.await(opened, Math.max(0, settings.operationBudgetNanos() - elapsedNanos))) {
                    throw fail(noAnswer(), null);
                }
                opened.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw fail("the thread was interrupted", e);
            } catch (CompletionException e) {
                throw asThrown(e);
            }
        }

        private String noAnswer() {
            LeaseStore unopened = made;
            return "the database did not answer within " + settings.operationBudgetNanos() / 1_000_000 + " ms"
                    + (unopened == null ? "" : "; " + unopened.servers());
        }

        private static RuntimeException asThrown(CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            return e.getCause() instanceof RuntimeException cause ? cause : e;
        }

        /** A store that is not open yet is closed as soon as it would be. */
        private LeaseException fail(String why, @Nullable Throwable cause) {
            LeaseException failure = new LeaseUnavailableException(
                    "the engine of namespace '" + settings.namespace() + "' was not started: " + why, cause);
            opened.completeExceptionally(failure);
            return failure;
        }

        /** Closes the store, now or as soon as it would be open. */
        void abandon() {
            fail("another partition could not be opened", null);
            opened.thenAccept(store -> thread.execute(store::close));
            thread.stop();
        }
    }
}
