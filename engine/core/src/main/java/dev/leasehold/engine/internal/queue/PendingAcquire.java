package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquire that waits for its answer. Event loop only, apart from the final fields; the result completes on the event loop.
 *
 * <p>Its attempts are refused or fail, the last of which is remembered, until it is granted, its wait ends, or its caller cancels.
 */
public final class PendingAcquire {

    private final Request.Acquire request;
    private final long arrivedNanos;
    private final long endNanos;
    private final long hardEndNanos;
    private final CompletableFuture<Acquisition> result = new CompletableFuture<>();
    /** The thread that blocks until it is answered; null for an asynchronous acquire. */
    private final @Nullable Thread caller;

    private long position;
    private @Nullable Refusal refusal;
    private @Nullable LeaseException failure;
    private int failures;
    private @Nullable LeaseStatus priorStatus;
    private boolean maySupersede;
    private @Nullable Timer timer;

    /**
     * An acquire that was not enqueued yet.
     *
     * @param arrivedNanos now
     * @param waitNanos how long to wait while another holder has the lease
     * @param budgetNanos the operation budget, by which an attempt may outlast the wait
     * @param caller the thread that blocks for the answer; null if none does
     */
    public PendingAcquire(
            Request.Acquire request, long arrivedNanos, long waitNanos, long budgetNanos, @Nullable Thread caller) {
        this.request = request;
        this.arrivedNanos = arrivedNanos;
        this.endNanos = StampClock.sum(arrivedNanos, waitNanos);
        this.hardEndNanos = StampClock.sum(endNanos, budgetNanos);
        this.caller = caller;
    }

    public Request.Acquire request() {
        return request;
    }

    public String name() {
        return request.name();
    }

    String holder() {
        return request.holder();
    }

    int priority() {
        return request.priority();
    }

    /** Whether a ticket may stand for it: a session lease begins without a write of its holder. */
    boolean mayHaveTicket() {
        return request.termNanos() == null;
    }

    /** Whether it waits for this holder, and may do so by a ticket. */
    boolean mayWaitAs(String holder) {
        return mayHaveTicket() && holder().equals(holder);
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    long endNanos() {
        return endNanos;
    }

    /** The instant by which the caller must be answered, whatever is known by then. */
    long hardEndNanos() {
        return hardEndNanos;
    }

    public CompletableFuture<Acquisition> result() {
        return result;
    }

    @Nullable Thread caller() {
        return caller;
    }

    /** Delivers the handle. If the caller has cancelled meanwhile, the handle is closed. */
    void granted(LeaseHandle handle) {
        handle.acquiredBy(caller);
        if (!result.complete(new Acquisition.Acquired(handle))) {
            handle.closeUndelivered();
        }
    }

    // ---- an asynchronous caller ----

    /**
     * The future for the caller, which completes on the executor. If the caller completes or cancels it before, the acquire is cancelled,
     * and no lease stays held for it.
     *
     * @param mapper maps the result to the value; may throw
     * @param cancel cancels the acquire, or releases its lease; no effect if there is neither
     */
    public <T> CompletableFuture<T> future(Executor executor, Function<Acquisition, T> mapper, Runnable cancel) {
        CompletableFuture<T> future = new CompletableFuture<>();
        AtomicBoolean delivering = new AtomicBoolean();
        future.whenComplete((value, failure) -> {
            if (!delivering.get()) {
                cancel.run();
            }
        });
        result.whenComplete((acquisition, failure) -> {
            try {
                executor.execute(() -> {
                    delivering.set(true);
                    if (!deliver(future, mapper, acquisition, failure)) {
                        cancel.run();
                    }
                });
            } catch (RuntimeException | Error e) {
                // The future fails on this thread, and the lease is released. Thrown on, it would be lost.
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    private static <T> boolean deliver(
            CompletableFuture<T> future,
            Function<Acquisition, T> mapper,
            @Nullable Acquisition acquisition,
            @Nullable Throwable failure) {
        if (acquisition == null) {
            return future.completeExceptionally(Objects.requireNonNull(failure, "neither a result nor a failure"));
        }
        T value;
        try {
            value = mapper.apply(acquisition);
        } catch (RuntimeException e) {
            return future.completeExceptionally(e);
        }
        return future.complete(value);
    }

    // ---- in its wait queue ----

    /** Its position in the order of arrival. */
    long position() {
        return position;
    }

    void enqueuedAt(long position) {
        this.position = position;
    }

    void timer(Timer timer) {
        this.timer = timer;
    }

    /** Ends its wait, if it was enqueued. */
    @Nullable Timer timer() {
        return timer;
    }

    /** Whether an attempt that answers it has ended. */
    boolean wasAttempted() {
        return refusal != null || failure != null;
    }

    /** Whether it may take the lease from its own holder in another engine: it asks to supersede, and the same holder has the lease. */
    boolean couldSupersede(LeaseState state) {
        return request.supersede()
                && state instanceof LeaseState.Held held
                && held.tenure().holder().equals(holder());
    }

    /** Set when the refusal of another acquire has shown that this one may supersede, which needs an attempt of its own. */
    void maySupersede(boolean may) {
        maySupersede = may;
    }

    boolean maySupersede() {
        return maySupersede;
    }

    /** Its attempt, or one that covers it, was refused. */
    void refused(Refusal refusal) {
        this.refusal = refusal;
        this.failure = null;
        this.failures = 0;
        this.priorStatus = refusal.state().status();
    }

    void failed(LeaseException failure) {
        this.failure = failure;
        failures++;
    }

    int failures() {
        return failures;
    }

    void priorStatus(@Nullable LeaseStatus status) {
        priorStatus = status;
    }

    /** The status of the lease when this was last decided. */
    @Nullable LeaseStatus priorStatus() {
        return priorStatus;
    }

    /** The answer when the wait ends: the last refusal; null if the last attempt failed or none has ended. */
    @Nullable Refusal lastRefusal(String namespace) {
        return failure != null || refusal == null
                ? null
                : new Refusal(request.describeIn(namespace), refusal.reason(), refusal.state());
    }

    /** The answer when there is no refusal: why the last attempt failed. */
    LeaseException lastFailure(String namespace) {
        return failure != null
                ? failure
                : new LeaseUnavailableException(
                        request.describeIn(namespace)
                                + " was not carried out within its time budget: earlier requests were not answered",
                        null);
    }
}
