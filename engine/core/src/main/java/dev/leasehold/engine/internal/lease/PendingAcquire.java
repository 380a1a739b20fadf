package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import dev.leasehold.engine.internal.rules.Request;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One acquire that waits for its answer. Event loop only, apart from the final fields; the result completes on the event loop. */
final class PendingAcquire {

    private final AcquireSpec spec;
    private final String holder;
    private final long arrivedNanos;
    private final long endNanos;
    private final long hardEndNanos;
    private final CompletableFuture<Acquisition> result = new CompletableFuture<>();

    /** The thread that blocks until it is answered; null for an asynchronous acquire. */
    private @Nullable Thread caller;

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
     * @param holder the holder of the lease if it is granted
     * @param arrivedNanos now
     * @param waitNanos how long to wait while another holder has the lease
     * @param budgetNanos the operation budget, by which an attempt may outlast the wait
     */
    PendingAcquire(AcquireSpec spec, String holder, long arrivedNanos, long waitNanos, long budgetNanos) {
        this.spec = spec;
        this.holder = holder;
        this.arrivedNanos = arrivedNanos;
        this.endNanos = LeaseContext.sum(arrivedNanos, waitNanos);
        this.hardEndNanos = LeaseContext.sum(endNanos, budgetNanos);
    }

    AcquireSpec spec() {
        return spec;
    }

    String name() {
        return spec.name();
    }

    String holder() {
        return holder;
    }

    Request.Acquire request() {
        return new Request.Acquire(
                spec.name(), holder, spec.termNanos(), spec.comment(), spec.stripes(), spec.supersede());
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    /** The instant at which the wait ends. */
    long endNanos() {
        return endNanos;
    }

    /** The instant by which the caller must be answered, whatever is known by then. */
    long hardEndNanos() {
        return hardEndNanos;
    }

    CompletableFuture<Acquisition> result() {
        return result;
    }

    /** Called before it is enqueued. */
    void blocking(Thread caller) {
        this.caller = caller;
    }

    /** The thread that blocks for the answer; null if none does. */
    @Nullable
    Thread caller() {
        return caller;
    }

    /** Delivers the handle. If the caller has cancelled meanwhile, the handle is closed. */
    void granted(LeaseHandle handle) {
        handle.acquiredBy(caller);
        if (!result.complete(new Acquisition.Acquired(handle))) {
            handle.closeUndelivered();
        }
    }

    /** Its position in the order of arrival. */
    long position() {
        return position;
    }

    void enqueuedAt(long position) {
        this.position = position;
    }

    /** Whether an attempt that answers it has ended. */
    boolean wasAttempted() {
        return refusal != null || failure != null;
    }

    /** Whether it may take the lease from its own holder in another engine: it asks to supersede, and the same holder has the lease. */
    boolean couldSupersede(LeaseState state) {
        return spec.supersede()
                && state instanceof LeaseState.Held held
                && held.tenure().holder().equals(holder);
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

    void priorStatus(@Nullable LeaseStatus status) {
        priorStatus = status;
    }

    /** The status of the lease when this was last decided. */
    @Nullable
    LeaseStatus priorStatus() {
        return priorStatus;
    }

    /** The number of attempts that have failed in a row. */
    int failures() {
        return failures;
    }

    /** Set when the refusal of another acquire has shown that this one may supersede, which needs an attempt of its own. */
    void maySupersede(boolean may) {
        maySupersede = may;
    }

    boolean maySupersede() {
        return maySupersede;
    }

    void timer(Timer timer) {
        this.timer = timer;
    }

    @Nullable
    Timer timer() {
        return timer;
    }

    /** The answer when the wait ends: the last refusal; null if the last attempt failed or none has ended. */
    @Nullable
    Refusal refusal(String namespace) {
        return failure != null || refusal == null
                ? null
                : new Refusal(describe(namespace), refusal.reason(), refusal.state());
    }

    /** The answer when there is no refusal: why the last attempt failed. */
    LeaseException failure(String namespace) {
        return failure != null
                ? failure
                : new LeaseUnavailableException(
                        describe(namespace)
                                + " was not carried out within its time budget: earlier requests were not answered",
                        null);
    }

    private String describe(String namespace) {
        return request().describe() + " in namespace '" + namespace + "'";
    }
}
