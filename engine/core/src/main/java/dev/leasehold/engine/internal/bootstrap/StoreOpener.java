package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the store of one partition on its own thread, the only one that uses the store. */
final class StoreOpener {

    private final EngineSettings settings;
    private final Partition partition;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final Function<Partition, LeaseStore> stores;
    private final CompletableFuture<LeaseStore> opened = new CompletableFuture<>();
    private volatile @Nullable LeaseStore made;

    StoreOpener(
            EngineSettings settings,
            Partition partition,
            EngineRuntime runtime,
            Function<Partition, LeaseStore> stores) {
        this.settings = settings;
        this.partition = partition;
        this.runtime = runtime;
        this.stores = stores;
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

    /** Fails unless the store is open within the limit. */
    void await(long limitNanos) {
        try {
            if (!runtime.await(opened, limitNanos)) {
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

    PartitionEngine partition(StampClock clock, EngineMetrics metrics) {
        return new PartitionEngine(settings, partition, opened.join(), runtime, thread, clock, metrics);
    }
}
