package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine of an actor system, started with its first lease, in the background: what asks for a lease must not wait for the database. */
final class SharedEngine {

    private static final Logger LOG = LoggerFactory.getLogger(SharedEngine.class);

    private final EngineConfig config;
    private final @Nullable MongoClient supplied;
    private final Executor blocking;
    private final ReentrantLock lock = new ReentrantLock();

    /** Null before it is started first. One that did not start, or has ended by itself, is replaced when it is needed next. */
    private @Nullable CompletableFuture<LeaseEngine> engine;

    private @Nullable MongoClient own;
    private boolean closed;
    /** Under the lock. One retry at a time, or each acquire without a database would leave one more behind. */
    private boolean retryPending;

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
     * dead. Never blocks. A start that fails is logged and repeated after a heartbeat interval, or by an acquire before that.
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
            if (engine == null || isOver(engine)) {
                engine = CompletableFuture.supplyAsync(this::start, blocking);
                engine.whenComplete((running, failure) -> {
                    if (failure != null) {
                        startAgainLater(failure);
                    }
                });
            }
            return engine;
        } finally {
            lock.unlock();
        }
    }

    /** An error in one of its threads closes an engine, and it stays closed. */
    private static boolean isOver(CompletableFuture<LeaseEngine> started) {
        return started.isCompletedExceptionally()
                || started.isDone() && !started.join().health().open();
    }

    private void startAgainLater(Throwable failure) {
        lock.lock();
        try {
            if (closed || retryPending) {
                return;
            }
            retryPending = true;
        } finally {
            lock.unlock();
        }
        long millis = config.heartbeatInterval().toMillis();
        LOG.warn(
                "the engine for {} did not start, the next attempt is in {} ms: {}",
                config,
                millis,
                failure.getCause() == null
                        ? failure.toString()
                        : failure.getCause().toString());
        // On the timer's own thread, which is safe as nothing here blocks.
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(this::retry);
    }

    private void retry() {
        lock.lock();
        try {
            retryPending = false;
        } finally {
            lock.unlock();
        }
        prepare();
    }

    /** Never blocks. As the engine's own, which is started for it if need be. */
    CompletionStage<Acquisition> tryAcquire(LeaseRequest request) {
        return get().thenCompose(running -> running.tryAcquireAsync(request));
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
        MongoClient client = own == null ? MongoClients.create(config.clientSettings()) : own;
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
            // One that is starting yet may take longer than it should.
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
