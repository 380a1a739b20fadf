package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.EventLoop;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.held.HeldLeases;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.held.Releaser;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverKind;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.queue.AcquireQueues;
import dev.leasehold.engine.internal.queue.PendingAcquire;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.session.LossListener;
import dev.leasehold.engine.internal.settings.Arguments;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.watch.ChangeWatcher;
import dev.leasehold.engine.internal.watch.LeaseObservers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires leases for callers, and owns the held leases and wait queues of one engine. Safe for many threads; holds no lock.
 *
 * <p>Open until {@link #close} or {@link #fail}; then closing: every wait fails and every held lease is lost. Terminated when no release
 * and no wait is left: the watch and the event loop have ended.
 */
public final class LeaseManager implements LossListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseManager.class);

    /** How long a caller's thread waits in one piece. The event loop answers in time, so this limits nothing. */
    private static final long WAIT_SLICE_NANOS = 60_000_000_000L;

    private final LeaseContext context;
    private final EngineCallbacks aborts;
    private final Releaser releaser;
    private final HeldLeases heldLeases;
    private final AcquireQueues queues;
    private final LeaseObservers observers;
    private final ChangeWatcher changeWatcher;
    private final AtomicLong generatedHolders = new AtomicLong();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private volatile Runnable atEnd = () -> {};
    private boolean ending;

    /**
     * Starts the thread of the event loop, which does no I/O, and one that watches for changes.
     *
     * @param callbacks runs code of callers, and rejects none; its creator stops it after this was closed
     * @param changes opens a stream of changes, see {@link dev.leasehold.engine.internal.store.LeaseStore#changes(boolean)}
     * @param assertions makes the assertion of a tenure
     */
    public LeaseManager(
            EngineSettings settings,
            Operations operations,
            Partitions partitions,
            EngineRuntime runtime,
            EngineMetrics metrics,
            Executor callbacks,
            Function<Boolean, LeaseChanges> changes,
            Function<Tenure, LeaseAssertion> assertions) {
        String threadName = "leasehold-" + settings.namespace();
        EngineThread handles = runtime.startThread(threadName + "-handles");
        EventLoop loop = new EventLoop(settings.namespace(), handles, partitions.clock(), this::afterEachTask);
        this.aborts = runtime.startCallbacks(threadName + "-abort");
        this.context = new LeaseContext(
                settings, operations, partitions, runtime, loop, metrics, callbacks, aborts, assertions);
        this.releaser = new Releaser(context, this::queues);
        this.heldLeases = new HeldLeases(context, releaser, name -> loop.post(() -> queues().onFreed(name)));
        this.queues = new AcquireQueues(context, heldLeases, releaser);
        this.observers = new LeaseObservers(context, queues.poller());
        EngineThread watch = startedBeside(handles, runtime, threadName + "-watch");
        this.changeWatcher = new ChangeWatcher(context, queues, heldLeases, observers, queues.poller(), changes, watch);
        heldLeases.watchedIf(changeWatcher::reports);
        metrics.registerGauges(this::held, this::waiting, queues.tickets()::count);
    }

    /** Without room for both there is no engine, and no close that would stop the one that has started. */
    private static EngineThread startedBeside(EngineThread started, EngineRuntime runtime, String name) {
        try {
            return runtime.startThread(name);
        } catch (Error e) {
            started.stop();
            throw e;
        }
    }

    private AcquireQueues queues() {
        return queues;
    }

    // ---- acquiring ----

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquire(LeaseRequest)}, with that wait. */
    public Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        PendingAcquire acquire = pendingAcquire(request, wait, Thread.currentThread());
        // If the answer came before the wait began, the wait would not notice the interrupt.
        if (Thread.interrupted()) {
            context.operations().measure(acquire.request(), OperationOutcome.INTERRUPTED, null, context.nowNanos());
            throw new InterruptedException();
        }
        try {
            enqueue(acquire);
            while (!context.runtime().await(acquire.result(), WAIT_SLICE_NANOS)) {
                // Wait on.
            }
            return Operations.result(acquire.result());
        } catch (InterruptedException e) {
            cancel(acquire);
            throw e;
        } catch (Error e) {
            abandon(acquire.result(), acquire);
            throw e;
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquireAsync}, with that wait. */
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration wait) {
        return acquireAsync(request, wait, Function.identity(), context.callbacks());
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#acquireAsync}, with that wait. */
    public CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait) {
        return acquireAsync(request, wait, Acquisition::orElseThrow, context.callbacks());
    }

    /** Acquires without a limit; completes on the executor. */
    public CompletableFuture<LeaseHandle> acquire(LeaseRequest request, Executor executor) {
        return acquireAsync(
                request, Arguments.LONGEST, acquisition -> (LeaseHandle) acquisition.orElseThrow(), executor);
    }

    /** Runs a task that begins and ends a transaction which asserts the tenure of a lease that was acquired here. */
    public static <T extends @Nullable Object, X extends Exception> T whileAsserting(Lease lease, HeldTask<T, X> task)
            throws X {
        return ((LeaseHandle) lease).whileAsserting(task);
    }

    private <T> CompletableFuture<T> acquireAsync(
            LeaseRequest request, Duration wait, Function<Acquisition, T> mapper, Executor executor) {
        PendingAcquire acquire = pendingAcquire(request, wait, null);
        CompletableFuture<T> future = acquire.future(executor, mapper, () -> cancel(acquire));
        try {
            enqueue(acquire);
        } catch (Error e) {
            abandon(future, acquire);
            throw e;
        }
        return future;
    }

    private PendingAcquire pendingAcquire(LeaseRequest request, Duration wait, @Nullable Thread caller) {
        long nowNanos = context.nowNanos();
        Request.Acquire acquire = validated(request, this::generatedHolder, nowNanos);
        long waitNanos = Arguments.durationNanos("wait", wait, Duration.ZERO, Arguments.LONGEST);
        return new PendingAcquire(
                acquire, nowNanos, waitNanos, context.settings().operationBudgetNanos(), caller);
    }

    private Request.Acquire validated(LeaseRequest request, UnaryOperator<String> otherHolder, long nowNanos) {
        return Arguments.acquire(request, otherHolder, context.settings().operationBudgetNanos(), nowNanos);
    }

    private String generatedHolder(String lease) {
        return context.partitions().writer(lease) + "/" + generatedHolders.incrementAndGet();
    }

    private void enqueue(PendingAcquire acquire) {
        context.postFor(acquire.name(), () -> {
            if (isClosed()) {
                // It may have been closed since the caller's check.
                failClosed(acquire);
            } else {
                enqueueOnLoop(acquire);
            }
        });
        if (isClosed()) {
            // The event loop may have ended before it could run the task.
            failClosed(acquire);
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
            // The error ends the engine, which answers those that it knows: an attempt of one may have been sent.
            if (!queues.isPending(acquire)) {
                failClosed(acquire);
            }
            throw e;
        }
    }

    private void failClosed(PendingAcquire acquire) {
        acquire.result().completeExceptionally(context.operations().closedException());
    }

    /** The caller ran out of stack or memory. First cancel the result, which needs hardly any, so that no lease stays held. */
    private void abandon(CompletableFuture<?> future, PendingAcquire acquire) {
        future.cancel(false);
        cancel(acquire);
    }

    private void cancel(PendingAcquire acquire) {
        context.loop().post(() -> queues.cancel(acquire));
    }

    // ---- elections ----

    /** @param action runs on the event loop when the engine is closed or fails, once the held leases are lost */
    public void onEnd(Runnable action) {
        atEnd = action;
    }

    public LeaseContext context() {
        return context;
    }

    /** Throws if no election can begin with this request. */
    public void checkElection(LeaseRequest request) {
        validated(request, context.partitions()::writer, context.nowNanos());
        context.operations().checkOpen();
    }

    /** Reads a lease and its queue. Completes on a thread that must not block. */
    public CompletableFuture<LeaseReader.Polled> read(String name) {
        return context.partitions().poll(Set.of(name), context.operations().deadlineNanos());
    }

    /** Throws if the engine takes no part in the wait queues. */
    public void requireWaitQueue(String what) {
        if (!context.settings().waitQueue()) {
            throw new IllegalStateException(what + " is refused: the engine of namespace '"
                    + context.settings().namespace()
                    + "' was built with waitQueue(false), so no process is known to wait");
        }
    }

    // ---- observers ----

    /** As {@link dev.leasehold.engine.LeaseEngine#observe}. */
    public LeaseObservation observe(String name, Consumer<? super LeaseState> listener) {
        LeaseNames.checkName(name);
        Arguments.given("listener", listener, "it must take a LeaseState");
        context.operations().checkOpen();
        return observers.open(name, listener);
    }

    // ---- state and losses ----

    public boolean isClosed() {
        return context.operations().isClosed();
    }

    public int held() {
        return heldLeases.count();
    }

    public int waiting() {
        return queues.count();
    }

    /** The number of held leases, wait queues, observed leases and pending releases: a leak if not 0 when the callers are done. */
    int rememberedCount() {
        return heldLeases.count() + queues.size() + observers.size() + releaser.size();
    }

    @Override
    public void onLost(Tenure tenure, LeaseLoss.Reason reason) {
        context.loop().post(() -> heldLeases.onLost(tenure, reason));
    }

    @Override
    public void onUnknown(Tenure tenure, long writtenNanos) {
        context.loop().post(() -> {
            if (!ending && !heldLeases.has(tenure) && !releaser.isReleasing(tenure)) {
                onKept(tenure, writtenNanos);
            }
        });
    }

    /** The session keeps a lease that is not held: it is granted to what waits with that ticket, or passed on. */
    private void onKept(Tenure tenure, long writtenNanos) {
        if (queues.hear(tenure.name(), writtenNanos)) {
            return;
        }
        boolean closedTicket =
                queues.tickets().isClosed(tenure.name(), context.partitions().writer(tenure.name()), writtenNanos);
        if (closedTicket) {
            LOG.debug("{}: granted to a ticket with which no acquire waits any more", LogContext.of(tenure));
            context.metrics().record(new HandedOver(HandOverKind.PASSED_ON));
        }
        releaser.release(tenure, Releaser.Manner.READING_FIRST).thenAccept(outcome -> {
            // What showed it may be a read from before the end of its tenure.
            if (!closedTicket && outcome.isOver() && outcome != ReleaseOutcome.OVER_BEFORE) {
                LOG.warn(
                        "{}: the session of this engine kept it, but nothing is known here of that tenure, as after the"
                                + " document was restored: it is released",
                        LogContext.of(tenure));
            }
        });
    }

    /**
     * A caller releases a tenure, whether or not a handle keeps it. Its validity was ended before. Called on that
     * caller's thread.
     */
    public void onCallerRelease(Tenure tenure) {
        if (held() > 0) {
            context.loop().post(() -> heldLeases.onCallerRelease(tenure));
        }
    }

    // ---- the end ----

    /**
     * Fails all waits, ends all validities, and reports the losses. Session leases are released with the session, after this.
     *
     * @param releasing whether term leases are released
     * @return completes when all that was sent is answered and the threads of this have ended; on a thread that must not block. The
     *     engine below decides how long that takes: close it when the caller's time is over
     */
    public CompletableFuture<Void> close(boolean releasing) {
        return end(LeaseLoss.Reason.CLOSED, null, releasing);
    }

    /** As {@link #close(boolean)}, because of an error in one of the engine's threads, which the losses report. Releases nothing. */
    public CompletableFuture<Void> fail(Error error) {
        return end(LeaseLoss.Reason.ENGINE_FAILED, error, false);
    }

    private CompletableFuture<Void> end(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        // In this order: a thread that finds a validity ended by this finds the engine closed as well.
        context.operations().close();
        context.partitions().endAllValidity();
        context.loop().post(() -> {
            if (!ending) {
                ending = true;
                context.loop()
                        .guardedEach(List.of(
                                () -> queues.close(context.operations().closedException(), error != null),
                                () -> heldLeases.closeAll(reason, error, releasing),
                                releaser::close,
                                atEnd,
                                observers::close));
            }
        });
        return terminated;
    }

    private void afterEachTask() {
        if (!ending) {
            queues.poller().schedule();
            changeWatcher.update();
        } else if (releaser.isEmpty() && queues.isEmpty() && queues.tickets().isIdle()) {
            terminate();
        }
    }

    /**
     * Ends the threads of this after an error, which may have left something that waits: the engine below is closed, so no answer comes any
     * more.
     */
    public void endThreads() {
        context.loop().post(this::terminate);
    }

    private void terminate() {
        if (!context.loop().isOver()) {
            changeWatcher.close();
            aborts.stop();
            context.loop().end();
            terminated.complete(null);
        }
    }
}
