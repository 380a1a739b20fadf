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

/**
 * One acquisition on its way. Of the agenda's thread alone, apart from what never changes and the result, which completes on
 * that thread.
 */
final class PendingAcquire {

    private final AcquireSpec spec;
    private final String holder;
    private final long arrivedNanos;
    private final long endNanos;
    private final long hardEndNanos;
    private final CompletableFuture<Acquisition> result = new CompletableFuture<>();

    /** Who blocks until it is answered; null for an acquisition without a thread. */
    private @Nullable Thread caller;

    private long position;
    private @Nullable Refusal refusal;
    private @Nullable LeaseException failure;
    private int failures;
    private @Nullable LeaseStatus priorStatus;
    private boolean maySupersede;
    private @Nullable Timer timer;

    /**
     * An acquisition that has not begun.
     *
     * @param holder who is to hold the lease
     * @param arrivedNanos now
     * @param waitNanos how long to wait while others hold it
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

    /** When the wait is over. */
    long endNanos() {
        return endNanos;
    }

    /** When the caller has to be answered, whatever is known by then. */
    long hardEndNanos() {
        return hardEndNanos;
    }

    CompletableFuture<Acquisition> result() {
        return result;
    }

    /** Before it joins a line. */
    void blocking(Thread caller) {
        this.caller = caller;
    }

    /** The thread that waits for the answer; null where none does. */
    @Nullable Thread caller() {
        return caller;
    }

    /** It has the lease. If its caller went meanwhile, that is given back. */
    void granted(LeaseHandle handle) {
        handle.acquiredBy(caller);
        if (!result.complete(new Acquisition.Acquired(handle))) {
            handle.closeUndelivered();
        }
    }

    /** Its place in the order of arrival. */
    long position() {
        return position;
    }

    void enqueuedAt(long place) {
        this.position = place;
    }

    /** The first attempt is over. */
    boolean wasAttempted() {
        return refusal != null || failure != null;
    }

    /** Whether a lease that is held as this shows can be had by an attempt of this one, and of nobody else but its like. */
    boolean couldSupersede(LeaseState state) {
        return spec.supersede()
                && state instanceof LeaseState.Held held
                && held.tenure().holder().equals(holder);
    }

    /** It, or somebody who looked for it, was told no. */
    void refused(Refusal refusal) {
        this.refusal = refusal;
        this.failure = null;
        this.failures = 0;
        this.priorStatus = refusal.state().status();
    }

    void failed(LeaseException trouble) {
        this.failure = trouble;
        failures++;
    }

    void priorStatus(@Nullable LeaseStatus status) {
        priorStatus = status;
    }

    /** How the lease stood when this was last decided. */
    @Nullable LeaseStatus priorStatus() {
        return priorStatus;
    }

    /** How many attempts in a row have failed. */
    int failures() {
        return failures;
    }

    /** The refusal of somebody else has shown that this one may take the lease, for which it takes an attempt of its own. */
    void maySupersede(boolean may) {
        maySupersede = may;
    }

    boolean maySupersede() {
        return maySupersede;
    }

    void timer(Timer timer) {
        this.timer = timer;
    }

    @Nullable Timer timer() {
        return timer;
    }

    /** What the caller is told who has waited for long enough: the refusal, or else why there is none. */
    @Nullable Refusal refusal(String namespace) {
        return failure != null || refusal == null
                ? null
                : new Refusal(describe(namespace), refusal.reason(), refusal.state());
    }

    /** Why the last attempt has failed. */
    LeaseException failure(String namespace) {
        return failure != null
                ? failure
                : new LeaseUnavailableException(
                        describe(namespace)
                                + " was not carried out within its time budget: others came first, and were not answered",
                        null);
    }

    private String describe(String namespace) {
        return request().describe() + " in namespace '" + namespace + "'";
    }
}
