package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.session.LossListener;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires leases for callers, and owns the held leases and wait queues of one engine. Safe for many threads; holds no lock.
 *
 * <p>Open until {@link #close()} or {@link #fail}; then closing: every wait fails and every held lease is lost. Terminated when no
 * release and no wait is left: the watch and the event loop have ended.
 */
public final class LeaseManager implements LossListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseManager.class);

    /** How long a caller's thread waits in one piece. The event loop answers in time, so this limits nothing. */
    private static final long WAIT_SLICE_NANOS = 60_000_000_000L;

    private final LeaseContext context;
    private final Releaser releaser;
    private final HeldLeases heldLeases;
    private final AcquireQueues queues;
    private final LeasePoller poller;
    private final ChangeWatcher changeWatcher;
    private final WatchDemand watchDemand;
    private final AtomicLong generatedHolders = new AtomicLong();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final Set<LeaderElector> electors = ConcurrentHashMap.newKeySet();
    private boolean ending;

    /**
     * Starts the thread of the event loop, which does no I/O, and one that watches for changes.
     *
     * @param operations submits operations to the partitions; closed with this
     * @param partitions the engine below
     * @param runtime the machine
     * @param metrics gets losses, hand-overs and acquisitions, most often on the event loop
     * @param callbacks runs code of callers, and rejects none; its creator stops it after this was closed
     * @param changes opens a stream of changes, see {@link dev.leasehold.engine.internal.store.LeaseStore#changes}
     * @param assertions makes the assertion of a tenure
     */
    public LeaseManager(
            EngineSettings settings,
            Operations operations,
            Partitions partitions,
            EngineRuntime runtime,
            EngineMetrics metrics,
            Executor callbacks,
            Supplier<LeaseChanges> changes,
            Function<Tenure, LeaseAssertion> assertions) {
        String threadName = "leasehold-" + settings.namespace();
        EventLoop loop = new EventLoop(
                settings.namespace(),
                runtime.startThread(threadName + "-handles"),
                partitions.clock(),
                this::afterEachTask);
        this.context =
                new LeaseContext(settings, operations, partitions, runtime, loop, metrics, callbacks, assertions);
        this.releaser = new Releaser(context, this::onFreed);
        this.heldLeases =
                new HeldLeases(context, releaser, name -> loop.post(() -> onFreed(name)), operations::isClosed);
        this.queues = new AcquireQueues(context, heldLeases, releaser);
        this.poller = new LeasePoller(context, queues, heldLeases);
        this.changeWatcher = new ChangeWatcher(
                settings.namespace(),
                runtime,
                changes,
                runtime.startThread(threadName + "-watch"),
                new ChangeDispatcher());
        this.watchDemand = new WatchDemand(context, queues, heldLeases, changeWatcher);
        metrics.registerGauges(this::held, this::waiting);
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquire(LeaseRequest, Duration)}. */
    public Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        PendingAcquire acquire = pendingAcquire(request, wait);
        refuseIfInterrupted(acquire);
        acquire.blocking(Thread.currentThread());
        try {
            enqueue(acquire);
            while (!context.runtime().await(acquire.result(), WAIT_SLICE_NANOS)) {
                // Wait on.
            }
            return acquire.result().join();
        } catch (InterruptedException e) {
            cancel(acquire);
            throw e;
        } catch (Error e) {
            abandon(acquire.result(), acquire);
            throw e;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** If the answer came before the wait began, the wait would not notice the interrupt. */
    private void refuseIfInterrupted(PendingAcquire acquire) throws InterruptedException {
        if (Thread.interrupted()) {
            context.operations().measure(acquire.request(), OperationOutcome.INTERRUPTED, null, context.nowNanos());
            throw new InterruptedException();
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquireAsync(LeaseRequest, Duration)}. */
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration wait) {
        return acquireAsync(request, wait, Function.identity(), context.callbacks());
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#acquireAsync(LeaseRequest, Duration)}. */
    public CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait) {
        return acquireAsync(request, wait, Acquisition::orElseThrow, context.callbacks());
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#acquire(LeaseRequest)}. */
    public Lease acquire(LeaseRequest request) throws InterruptedException {
        while (true) {
            try {
                return tryAcquire(request, AcquireSpec.LONGEST).orElseThrow();
            } catch (LeaseOutcomeUnknownException e) {
                LOG.debug("lease '{}': acquiring it again after an unknown outcome", request.name(), e);
            }
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#runWhileHeld(LeaseRequest, Duration, HeldTask)}. */
    public <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, Duration wait, HeldTask<T, X> task) throws InterruptedException, X {
        if (task == null) {
            throw new IllegalArgumentException("task null is refused: it must say what to do while the lease is held");
        }
        Acquisition acquisition = tryAcquire(request, wait);
        if (acquisition instanceof Acquisition.NotAcquired notAcquired) {
            return new RunResult.Skipped<>(notAcquired.refusal());
        }
        try (Lease lease = acquisition.orElseThrow()) {
            T result = task.run(lease);
            return new RunResult.Ran<>(result, lease.isHeld());
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#elect(LeaseRequest)}. */
    public LeaderElection.Builder elect(LeaseRequest request) {
        if (request == null) {
            throw new IllegalArgumentException("request null is refused: it must say which lease is wanted");
        }
        return new LeaderElectorBuilder((granted, lost) -> startElection(request, granted, lost));
    }

    private LeaderElection startElection(
            LeaseRequest request, Consumer<? super Lease> granted, Consumer<? super LeaseLoss> lost) {
        AcquireSpec.of(request, context.settings().operationBudgetNanos(), context.nowNanos());
        context.operations().checkOpen();
        LeaderElector leaderElector = new LeaderElector(request, this, context, granted, lost);
        electors.add(leaderElector);
        leaderElector.start();
        return leaderElector;
    }

    void forget(LeaderElector leaderElector) {
        electors.remove(leaderElector);
    }

    boolean isClosed() {
        return context.operations().isClosed();
    }

    /** Acquires without a limit; completes on the executor. */
    CompletableFuture<LeaseHandle> acquire(LeaseRequest request, Executor executor) {
        return acquireAsync(
                request, AcquireSpec.LONGEST, acquisition -> (LeaseHandle) acquisition.orElseThrow(), executor);
    }

    /** The number of held leases. */
    public int held() {
        return heldLeases.count();
    }

    /** The number of waiting acquires. */
    public int waiting() {
        return queues.count();
    }

    /** The number of held leases, wait queues and pending releases: a leak if not 0 when the callers are done. */
    int rememberedCount() {
        return heldLeases.all().size() + queues.size() + releaser.size();
    }

    @Override
    public void onLost(Tenure tenure, LeaseLoss.Reason reason) {
        context.loop().post(() -> heldLeases.onLost(tenure, reason));
    }

    @Override
    public void onCallerRelease(Tenure tenure) {
        if (held() > 0) {
            context.loop().post(() -> heldLeases.onCallerRelease(tenure));
        }
    }

    /**
     * Fails all waits, ends all validities, reports the losses, and releases the term leases. Session leases are released with the
     * session, after this.
     *
     * @return completes when all that was sent is answered and the threads of this have ended; on a thread that must not block. The
     *     engine below decides how long that takes: close it when the caller's time is over
     */
    public CompletableFuture<Void> close() {
        return close(true);
    }

    /**
     * The same.
     *
     * @param releasing whether term leases are released
     */
    public CompletableFuture<Void> close(boolean releasing) {
        return end(LeaseLoss.Reason.CLOSED, null, releasing);
    }

    /** As {@link #close()}, because of an error in one of the engine's threads, which the losses report. */
    public CompletableFuture<Void> fail(Error error) {
        return end(LeaseLoss.Reason.ENGINE_FAILED, error, true);
    }

    private CompletableFuture<Void> end(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        // In this order: a thread that finds a validity ended by this finds the engine closed as well.
        context.operations().close();
        context.partitions().endAllValidity();
        context.loop().post(() -> endOnLoop(reason, error, releasing));
        return terminated;
    }

    private void endOnLoop(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        if (!ending) {
            ending = true;
            queues.close(context.operations().closedException());
            heldLeases.closeAll(reason, error, releasing);
            releaser.close();
            electors.forEach(LeaderElector::engineClosed);
        }
    }

    private <T> CompletableFuture<T> acquireAsync(
            LeaseRequest request, Duration wait, Function<Acquisition, T> wanted, Executor executor) {
        PendingAcquire acquire = pendingAcquire(request, wait);
        CompletableFuture<T> future = AsyncAcquire.of(acquire, executor, wanted, () -> cancel(acquire));
        try {
            enqueue(acquire);
        } catch (Error e) {
            abandon(future, acquire);
            throw e;
        }
        return future;
    }

    private PendingAcquire pendingAcquire(LeaseRequest request, Duration wait) {
        long nowNanos = context.nowNanos();
        long budgetNanos = context.settings().operationBudgetNanos();
        AcquireSpec spec = AcquireSpec.of(request, budgetNanos, nowNanos);
        long waitNanos = AcquireSpec.waitNanos(wait);
        String requested = spec.holder();
        String holder = requested != null ? requested : generatedHolder(spec.name());
        return new PendingAcquire(spec, holder, nowNanos, waitNanos, budgetNanos);
    }

    private String generatedHolder(String lease) {
        return context.partitions().writer(lease) + "/" + generatedHolders.incrementAndGet();
    }

    private void enqueue(PendingAcquire acquire) {
        context.postFor(acquire.name(), () -> {
            if (isClosed()) {
                // It may have been closed since the caller's check.
                acquire.result().completeExceptionally(context.operations().closedException());
            } else {
                enqueueOnLoop(acquire);
            }
        });
        if (isClosed()) {
            // The event loop may have ended before it could run the task.
            acquire.result().completeExceptionally(context.operations().closedException());
        }
    }

    private void enqueueOnLoop(PendingAcquire acquire) {
        try {
            queues.enqueue(acquire);
        } catch (RuntimeException e) {
            acquire.result()
                    .completeExceptionally(
                            new LeaseStoreException(acquire.request().describe() + ": unexpected failure", e));
            cancel(acquire);
            throw e;
        } catch (Error e) {
            // The error ends the engine, which may not know this acquire.
            acquire.result().completeExceptionally(context.operations().closedException());
            throw e;
        }
    }

    /** The caller ran out of stack or memory. First cancel the result, which needs hardly any, so that no lease stays held. */
    private void abandon(CompletableFuture<?> future, PendingAcquire acquire) {
        future.cancel(false);
        cancel(acquire);
    }

    private void cancel(PendingAcquire acquire) {
        context.loop().post(() -> queues.cancel(acquire));
    }

    private void onFreed(String name) {
        queues.onFreed(name);
    }

    /** Runs after every task of the event loop. */
    private void afterEachTask() {
        if (ending) {
            if (releaser.isEmpty() && queues.isEmpty() && !context.loop().isOver()) {
                changeWatcher.close();
                context.loop().end();
                terminated.complete(null);
            }
        } else {
            poller.schedule();
            watchDemand.update();
        }
    }

    /** Posts changes to the event loop. */
    private final class ChangeDispatcher implements ChangeWatcher.Listener {
        @Override
        public void onChanges(List<LeaseChange> changes) {
            context.loop().post(() -> changes.forEach(this::onChange));
        }

        private void onChange(LeaseChange change) {
            if (change instanceof LeaseChange.WriterGone gone) {
                queues.onSessionEnded(gone.partition());
            } else if (change instanceof LeaseChange.OfLease ofLease) {
                HeldLease held = heldLeases.of(ofLease.name());
                if (held != null) {
                    verify(held, ofLease);
                } else {
                    queues.onChange(ofLease);
                }
            }
        }

        /** A change of a lease held here most often comes from this engine. If not, the loss wakes the wait queue. */
        private void verify(HeldLease held, LeaseChange.OfLease change) {
            if (!change.wasLookedAt()) {
                poller.verifySoon(List.of(held));
            } else if (change.showsTheEndOf(held.tenure())) {
                heldLeases.lose(held, LeaseLoss.Reason.TAKEN_OVER, null);
            }
        }

        @Override
        public void onMissed() {
            context.loop().post(() -> {
                poller.changesUnavailable(false);
                queues.wakeAll();
                poller.verifyAll();
            });
        }

        @Override
        public void onUnavailable() {
            context.loop().post(() -> poller.changesUnavailable(true));
        }
    }
}
