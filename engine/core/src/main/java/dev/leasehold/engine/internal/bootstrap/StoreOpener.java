package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens the store of one partition on its own thread, the only one that uses the store. If the waiting thread is
 * interrupted or its time is over, the store is closed.
 */
final class StoreOpener {

    private final EngineSettings settings;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final Supplier<LeaseStore> stores;
    private final CompletableFuture<LeaseStore> opened = new CompletableFuture<>();
    private volatile @Nullable LeaseStore made;

    StoreOpener(EngineSettings settings, EngineRuntime runtime, Supplier<LeaseStore> stores) {
        this.settings = settings;
        this.runtime = runtime;
        this.stores = stores;
        this.thread = runtime.startThread("leasehold-" + settings.namespace());
        thread.execute(this::openHere);
    }

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

    private void openHere() {
        LeaseStore store = null;
        try {
            store = stores.get();
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

    private LeaseException fail(String why, @Nullable Throwable cause) {
        LeaseException reason = notStarted(why, cause);
        opened.completeExceptionally(reason);
        return reason;
    }

    private LeaseException notStarted(String why, @Nullable Throwable cause) {
        return new LeaseUnavailableException(
                "the engine of namespace '" + LeaseIds.namespaceOf(settings.namespace()) + "' was not started: " + why,
                cause);
    }

    /** Closes the store: here if it is open, otherwise as soon as it would be. */
    void abandon() {
        if (!opened.completeExceptionally(notStarted("another partition could not be opened", null))
                && !opened.isCompletedExceptionally()) {
            thread.execute(opened.join()::close);
        }
        thread.stop();
    }

    PartitionEngine partition(StampClock clock, EngineMetrics metrics) {
        return new PartitionEngine(settings, opened.join(), runtime, thread, clock, metrics);
    }
}
