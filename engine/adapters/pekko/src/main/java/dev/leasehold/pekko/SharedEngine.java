package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One engine of an actor system, started with its first lease, in the background: whoever asks for a lease must not wait for the database. */
final class SharedEngine {

    private final EngineConfig config;
    private final @Nullable MongoClient supplied;
    private final Executor blocking;
    private final ReentrantLock lock = new ReentrantLock();

    /** Null before it is started first. One that did not start, or has ended by itself, is replaced for the next who asks. */
    private @Nullable CompletableFuture<LeaseEngine> engine;

    private @Nullable MongoClient own;
    private boolean closed;

    /**
     * Nothing is started yet.
     *
     * @param supplied the application's client; null where there is none
     * @param blocking runs what blocks
     */
    SharedEngine(EngineConfig config, @Nullable MongoClient supplied, Executor blocking) {
        this.config = config;
        this.supplied = supplied;
        this.blocking = blocking;
    }

    /**
     * Starts the engine if it is not there yet: the longer it has watched a holder, the sooner it knows that the holder is
     * dead. Never blocks. A failure is left to the acquire that needs the engine, which tries again.
     */
    void prepare() {
        get();
    }

    /** Never blocks. Completes when the engine is there. */
    CompletionStage<LeaseEngine> get() {
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(closedException());
            }
            if (engine == null || engine.isCompletedExceptionally()) {
                engine = CompletableFuture.supplyAsync(this::start, blocking);
            }
            return engine;
        } finally {
            lock.unlock();
        }
    }

    /** Never blocks. As the engine's own, which is started for it if need be. */
    CompletionStage<Acquisition> tryAcquire(LeaseRequest request) {
        return get().thenCompose(running -> running.tryAcquireAsync(request).whenComplete((acquisition, failure) -> {
            if (failure instanceof LeaseEngineClosedException) {
                forget(running);
            }
        }));
    }

    /** An error in one of its threads closes an engine, and it stays closed. */
    private void forget(LeaseEngine ended) {
        lock.lock();
        try {
            if (engine != null && engine.getNow(null) == ended) {
                engine = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private LeaseEngineClosedException closedException() {
        return new LeaseEngineClosedException(config + ": the actor system is terminating", null);
    }

    /** One start at a time, each after the one before has failed. */
    private LeaseEngine start() {
        return config.start(client());
    }

    private MongoClient client() {
        if (!config.hasClientOfItsOwn() && supplied != null) {
            return supplied;
        }
        MongoClient client = own == null ? config.newClient() : own;
        own = client;
        return client;
    }

    /**
     * Ends the engine. What was not released stays held until its time is over: the split brain resolver relies on that, and so does work
     * that has not ended yet. Blocks for at most three times the operation timeout.
     */
    void close() {
        CompletableFuture<LeaseEngine> started = markClosed();
        if (started != null) {
            // One that is starting yet may never come, if its thread goes first.
            Duration limit = config.operationTimeout().multipliedBy(2);
            started.copy()
                    .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .handle((running, failure) -> {
                        if (running != null) {
                            running.closeWithoutRelease();
                        }
                        if (own != null) {
                            own.close();
                        }
                        return null;
                    })
                    .join();
        }
    }

    private @Nullable CompletableFuture<LeaseEngine> markClosed() {
        lock.lock();
        try {
            closed = true;
            CompletableFuture<LeaseEngine> started = engine;
            engine = null;
            return started;
        } finally {
            lock.unlock();
        }
    }
}
