package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
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

/** The leases that callers of one engine hold or wait for. Safe for many threads; holds no lock. */
public final class LeaseManager implements LossListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseManager.class);

    /** How long a caller's thread sleeps before it looks again whether it was answered, which the agenda sees to in time. */
    private static final long NAP_NANOS = 60_000_000_000L;

    private final LeaseContext context;
    private final Releaser releaser;
    private final HeldLeases heldLeases;
    private final AcquireQueues queues;
    private final LeasePoller poller;
    private final ChangeWatcher changeWatcher;
    private final WatchDemand watchDemand;
    private final AtomicLong generatedHolders = new AtomicLong();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final Set<LeaderElector> elections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private boolean ending;

    /**
     * Ready to acquire. Starts a thread for the handles, which does no I/O, and one that listens for changes.
     *
     * @param leaseOperations the engine below
     * @param runtime the machine
     * @param metrics told of losses, hand-overs and acquisitions, most often on the thread of the handles
     * @param callbacks runs code of callers, and refuses none; to be stopped after this was closed, by whoever made it
     * @param changes begins to watch for changes, see {@link dev.leasehold.engine.internal.store.LeaseStore#changes}
     * @param assertions makes the assertion of a tenure
     */
    public LeaseManager(
            HandleSettings settings,
            LeaseOperations leaseOperations,
            EngineRuntime runtime,
            EngineMetrics metrics,
            Executor callbacks,
            Supplier<LeaseChanges> changes,
            Function<Tenure, LeaseAssertion> assertions) {
        String threadName = "leasehold-" + settings.namespace();
        EventLoop loop = new EventLoop(
                settings.namespace(),
                runtime.startThread(threadName + "-handles"),
                leaseOperations.clock(),
                this::afterEachTask);
        this.context = new LeaseContext(settings, leaseOperations, runtime, loop, metrics, callbacks, assertions);
        this.releaser = new Releaser(context, this::onFreed);
        this.heldLeases = new HeldLeases(context, releaser, name -> loop.post(() -> onFreed(name)), () -> closed);
        this.queues = new AcquireQueues(context, heldLeases, releaser);
        this.poller = new LeasePoller(context, queues, heldLeases);
        this.changeWatcher = new ChangeWatcher(
                settings.namespace(), runtime, changes, runtime.startThread(threadName + "-watch"), new Told());
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
            while (!context.runtime().await(acquire.result(), NAP_NANOS)) {
                // The condition does the work.
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

    /** The answer may be there before the caller waits, who would not notice then. */
    private void refuseIfInterrupted(PendingAcquire acquire) throws InterruptedException {
        if (Thread.interrupted()) {
            context.metrics()
                    .record(new OperationEnded(
                            acquire.request().kind(), acquire.name(), OperationOutcome.INTERRUPTED, null, 0));
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
                LOG.debug("lease '{}': it is asked for again after an unknown outcome", request.name(), e);
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
        if (acquisition instanceof Acquisition.NotAcquired no) {
            return new RunResult.Skipped<>(no.refusal());
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
        if (closed) {
            throw closedException();
        }
        LeaderElector leaderElector = new LeaderElector(request, this, context, granted, lost);
        elections.add(leaderElector);
        leaderElector.start();
        return leaderElector;
    }

    void forget(LeaderElector leaderElector) {
        elections.remove(leaderElector);
    }

    boolean isClosed() {
        return closed;
    }

    /** Acquires without a limit; completes on the executor. */
    CompletableFuture<LeaseHandle> acquire(LeaseRequest request, Executor executor) {
        return acquireAsync(
                request, AcquireSpec.LONGEST, acquisition -> (LeaseHandle) acquisition.orElseThrow(), executor);
    }

    /** How many tenures are held. */
    public int held() {
        return heldLeases.count();
    }

    /** How many acquisitions wait. */
    public int waiting() {
        return queues.count();
    }

    /** How much is remembered of leases: nothing, once nobody holds, waits or gives up. */
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
     * Ends all waits and all beliefs, tells the holders, and gives up the leases that have a term. Those that the session
     * keeps are given up with the session, after this.
     *
     * @return completes when what was sent is answered and no thread of this is left; on a thread that must not be held up.
     *     It takes as long as the engine below takes, so that one should be closed when the caller's time is over
     */
    public CompletableFuture<Void> close() {
        return close(true);
    }

    /**
     * The same.
     *
     * @param releasing whether the leases that have a term are given up
     */
    public CompletableFuture<Void> close(boolean releasing) {
        return end(LeaseLoss.Reason.CLOSED, null, releasing);
    }

    /** As {@link #close()}, because of an error in one of the engine's threads, which is what the holders are told. */
    public CompletableFuture<Void> fail(Error error) {
        return end(LeaseLoss.Reason.ENGINE_FAILED, error, true);
    }

    private CompletableFuture<Void> end(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        // In this order: whoever finds a belief ended by this finds the engine closed as well.
        closed = true;
        context.operations().endAllValidity();
        context.loop().post(() -> endHere(reason, error, releasing));
        return terminated;
    }

    private void endHere(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        if (!ending) {
            ending = true;
            queues.close(closedException());
            heldLeases.closeAll(reason, error, releasing);
            releaser.close();
            elections.forEach(LeaderElector::engineClosed);
        }
    }

    private LeaseEngineClosedException closedException() {
        return new LeaseEngineClosedException(
                "the engine of namespace '" + context.settings().namespace() + "' is closed", null);
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
        String owner = spec.holder();
        String holder = owner != null ? owner : generatedHolder(spec.name());
        return new PendingAcquire(spec, holder, nowNanos, waitNanos, budgetNanos);
    }

    private String generatedHolder(String lease) {
        return context.operations().writer(lease) + "/" + generatedHolders.incrementAndGet();
    }

    private void enqueue(PendingAcquire acquire) {
        context.postFor(acquire.name(), () -> {
            if (closed) {
                // It may have been open when the caller looked.
                acquire.result().completeExceptionally(closedException());
            } else {
                enqueueHere(acquire);
            }
        });
        if (closed) {
            // The thread may have ended its last task before this one was there to be seen.
            acquire.result().completeExceptionally(closedException());
        }
    }

    private void enqueueHere(PendingAcquire acquire) {
        try {
            queues.enqueue(acquire);
        } catch (RuntimeException e) {
            acquire.result()
                    .completeExceptionally(
                            new LeaseStoreException(acquire.request().describe() + ": unexpected failure", e));
            cancel(acquire);
            throw e;
        } catch (Error e) {
            // It ends the engine, which may not know of this one.
            acquire.result().completeExceptionally(closedException());
            throw e;
        }
    }

    /** Its caller runs out of stack or memory: first that which needs hardly any, by which nothing stays held. */
    private void abandon(CompletableFuture<?> promised, PendingAcquire acquire) {
        promised.cancel(false);
        cancel(acquire);
    }

    private void cancel(PendingAcquire acquire) {
        context.loop().post(() -> queues.withdraw(acquire));
    }

    private void onFreed(String name) {
        queues.onFreed(name);
    }

    /** After every task of the agenda. */
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

    /** Hands what the watch tells to the agenda. */
    private final class Told implements ChangeWatcher.Listener {
        @Override
        public void onChanges(List<LeaseChange> changes) {
            context.loop().post(() -> changes.forEach(this::onChanges));
        }

        private void onChanges(LeaseChange change) {
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

        /** Of a lease that is held here it is most often told what was done here. If it was not, those who wait hear of the loss. */
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
