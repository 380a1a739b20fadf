package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts an engine on its own thread, which alone ever touches the store: the thread that starts it may be interrupted, or
 * tire of waiting, and leaves nothing open.
 */
public final class EngineStart {

    private final EngineSettings settings;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final Supplier<LeaseStore> stores;
    private final CompletableFuture<LeaseStore> opened = new CompletableFuture<>();

    private EngineStart(EngineSettings settings, EngineRuntime runtime, Supplier<LeaseStore> stores) {
        this.settings = settings;
        this.runtime = runtime;
        this.stores = stores;
        this.thread = runtime.startThread("leasehold-" + settings.namespace());
    }

    /**
     * Opens the store and puts an engine on it.
     *
     * @param meters closed with the engine
     * @param callbackExecutor runs code of callers; null for threads of the engine's own
     * @param stores makes the store
     * @param assertions makes the assertion of a tenure
     */
    public static LeaseEngine start(
            EngineSettings settings,
            EngineRuntime runtime,
            EngineMeters meters,
            @Nullable Executor callbackExecutor,
            Supplier<LeaseStore> stores,
            Function<Tenure, LeaseAssertion> assertions) {
        EngineStart start = new EngineStart(settings, runtime, stores);
        LeaseStore store = start.open();
        CommitPath path = new CommitPath(settings, store, runtime, start.thread, meters);
        path.survey();
        return new LeaseClient(settings, runtime, path, meters, callbackExecutor, assertions);
    }

    private LeaseStore open() {
        thread.execute(this::openHere);
        try {
            if (runtime.await(opened, settings.operationBudgetNanos())) {
                return opened.join();
            }
            throw giveUp("the database did not answer within " + settings.operationBudgetNanos() / 1_000_000 + " ms", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw giveUp("the thread was interrupted", e);
        } catch (CompletionException e) {
            thread.stop();
            throw asThrown(e);
        }
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

    /** Whichever is first, this or the store being open, decides who closes the store. */
    private LeaseException giveUp(String why, @Nullable Throwable cause) {
        LeaseException reason = new LeaseUnavailableException(
                "the engine of namespace '" + settings.namespace() + "' was not started: " + why, cause);
        if (!opened.completeExceptionally(reason) && !opened.isCompletedExceptionally()) {
            thread.execute(opened.join()::close);
        }
        thread.stop();
        return reason;
    }
}
