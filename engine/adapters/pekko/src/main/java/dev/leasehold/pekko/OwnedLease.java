package dev.leasehold.pekko;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lease as one owner has it: at most one handle at a time. Acquisitions that overlap share one attempt; what is asked after a release
 * waits for that. Safe for use by many threads; none is blocked.
 */
final class OwnedLease {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedLease.class);
    private static final Consumer<Optional<Throwable>> NO_CALLBACK = cause -> {};

    private final LeaseRequest request;
    private final String owner;
    private final Duration operationTimeout;
    private final Supplier<SharedEngine> engine;
    private final Executor blocking;
    private final ReentrantLock lock = new ReentrantLock();

    /** The attempt that goes on or went well last; null where nothing has asked since the last release. Under the lock. */
    private @Nullable CompletableFuture<Optional<Holding>> attempt;
    /** The last release, on its way or done. Under the lock. */
    private CompletableFuture<Boolean> release = CompletableFuture.completedFuture(true);

    private volatile @Nullable Lease held;
    private volatile @Nullable Lease latest;

    /**
     * Nothing is sent yet.
     *
     * @param request names the owner as the holder
     * @param blocking runs reads
     */
    OwnedLease(
            LeaseRequest request,
            String owner,
            Duration operationTimeout,
            Supplier<SharedEngine> engine,
            Executor blocking) {
        this.request = request;
        this.owner = owner;
        this.operationTimeout = operationTimeout;
        this.engine = engine;
        this.blocking = blocking;
    }

    /** As of {@link LeaseholdLease#acquire()}. */
    CompletionStage<Boolean> acquire() {
        return acquire(NO_CALLBACK);
    }

    /** As of {@link LeaseholdLease#acquire(Consumer)}. The callback is registered once the stage is complete, so it cannot come before. */
    CompletionStage<Boolean> acquire(Consumer<? super Optional<Throwable>> callback) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        join().whenComplete((holding, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(LeaseFailures.of("acquire of " + subject() + " failed", failure));
            } else {
                answer.complete(holding.isPresent());
                holding.ifPresent(each -> each.onLost(callback));
            }
        });
        return answer;
    }

    private CompletableFuture<Optional<Holding>> join() {
        lock.lock();
        try {
            CompletableFuture<Optional<Holding>> joined = attempt;
            if (joined == null || joined.isDone() && !checkLease()) {
                joined = release.handle((released, failure) -> request)
                        .thenCompose(asked -> engine.get().tryAcquire(asked))
                        .thenApply(this::take);
                attempt = joined;
            }
            return joined;
        } finally {
            lock.unlock();
        }
    }

    private Optional<Holding> take(Acquisition acquisition) {
        if (acquisition instanceof Acquisition.NotAcquired no) {
            LOG.debug("{}", no.refusal().message());
            return Optional.empty();
        }
        Lease lease = acquisition.orElseThrow();
        latest = lease;
        held = lease;
        return Optional.of(new Holding(lease, ConcurrentHashMap.newKeySet()));
    }

    /** As of {@link LeaseholdLease#release()}. */
    CompletionStage<Boolean> release() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        releaseOnce().whenComplete((released, failure) -> {
            if (failure == null) {
                answer.complete(released);
            } else {
                answer.completeExceptionally(LeaseFailures.of(
                        "release of " + subject() + " is not known to be done, and goes on in the background",
                        failure));
            }
        });
        return answer;
    }

    private CompletableFuture<Boolean> releaseOnce() {
        lock.lock();
        try {
            CompletableFuture<Optional<Holding>> before = attempt;
            if (before == null && !release.isDone()) {
                return release;
            }
            attempt = null;
            held = null;
            release = (before == null ? CompletableFuture.completedFuture(Optional.<Holding>empty()) : before)
                    .handle((holding, failure) -> failure == null ? holding : Optional.<Holding>empty())
                    .thenCompose(this::close);
            return release;
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<Boolean> close(Optional<Holding> holding) {
        held = null;
        return holding.map(each -> each.lease().closeAsync().toCompletableFuture())
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenCompose(over -> over ? CompletableFuture.completedFuture(true) : isFree())
                .orTimeout(operationTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asks the database: the lease may be free although nothing was released here, or held by an earlier incarnation of the owner. */
    private CompletableFuture<Boolean> isFree() {
        return engine.get().get().thenApplyAsync(this::isFree, blocking).toCompletableFuture();
    }

    private boolean isFree(LeaseEngine running) {
        try {
            LeaseState state = running.refresh(List.of(request.name())).get(0);
            return !(state instanceof LeaseState.Held other)
                    || other.status() == LeaseStatus.EXPIRED
                    || !other.tenure().holder().equals(request.holder().orElseThrow());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /** As of {@link LeaseholdLease#checkLease()}. */
    boolean checkLease() {
        Lease lease = held;
        return lease != null && lease.isHeld();
    }

    /** That of the newest tenure, held or not; null before the first. */
    @Nullable Lease latest() {
        return latest;
    }

    String subject() {
        return "lease " + LeaseNames.quote(request.name()) + " of owner " + LeaseNames.quote(owner);
    }

    /**
     * A lease with the callbacks for its loss: each once, however often it is acquired.
     *
     * @param callbacks grows
     */
    private record Holding(Lease lease, Set<Consumer<? super Optional<Throwable>>> callbacks) {

        void onLost(Consumer<? super Optional<Throwable>> callback) {
            if (callback != NO_CALLBACK && callbacks.add(callback)) {
                lease.onLost(loss -> callback.accept(Optional.of(LeaseFailures.of(loss))));
            }
        }
    }
}
