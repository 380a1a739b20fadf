package dev.leasehold.engine.handle;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.handle.Agenda.Alarm;
import dev.leasehold.engine.protocol.Request;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition on its way. Of the agenda's thread alone, apart from what never changes and the result, which completes on
 * that thread.
 */
final class Waiter {

    private final Wish wish;
    private final String holder;
    private final long arrivedNanos;
    private final long endNanos;
    private final long hardEndNanos;
    private final CompletableFuture<Acquisition> result = new CompletableFuture<>();

    /** Who blocks until it is answered; null for an acquisition without a thread. */
    private @Nullable Thread caller;

    private long place;
    private @Nullable Refusal refusal;
    private @Nullable LeaseException trouble;
    private int failures;
    private @Nullable LeaseStatus priorStatus;
    private boolean maySupersede;
    private @Nullable Alarm alarm;

    /**
     * An acquisition that has not begun.
     *
     * @param holder who is to hold the lease
     * @param arrivedNanos now
     * @param waitNanos how long to wait while others hold it
     * @param budgetNanos the operation budget, by which an attempt may outlast the wait
     */
    Waiter(Wish wish, String holder, long arrivedNanos, long waitNanos, long budgetNanos) {
        this.wish = wish;
        this.holder = holder;
        this.arrivedNanos = arrivedNanos;
        this.endNanos = Surroundings.sum(arrivedNanos, waitNanos);
        this.hardEndNanos = Surroundings.sum(endNanos, budgetNanos);
    }

    Wish wish() {
        return wish;
    }

    String name() {
        return wish.name();
    }

    String holder() {
        return holder;
    }

    Request.Acquire request() {
        return new Request.Acquire(
                wish.name(), holder, wish.termNanos(), wish.comment(), wish.stripes(), wish.supersede());
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
    void blocks(Thread caller) {
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
            handle.takeBack();
        }
    }

    /** Its place in the order of arrival. */
    long place() {
        return place;
    }

    void takePlace(long place) {
        this.place = place;
    }

    /** The first attempt is over. */
    boolean wasLookedAt() {
        return refusal != null || trouble != null;
    }

    /** Whether a lease that is held as this shows can be had by an attempt of this one, and of nobody else but its like. */
    boolean couldSupersede(LeaseState state) {
        return wish.supersede()
                && state instanceof LeaseState.Held held
                && held.tenure().holder().equals(holder);
    }

    /** It, or somebody who looked for it, was told no. */
    void refused(Refusal refusal) {
        this.refusal = refusal;
        this.trouble = null;
        this.failures = 0;
        this.priorStatus = refusal.state().status();
    }

    void failed(LeaseException trouble) {
        this.trouble = trouble;
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

    void ringAt(Alarm alarm) {
        this.alarm = alarm;
    }

    @Nullable Alarm alarm() {
        return alarm;
    }

    /** What the caller is told who has waited for long enough: the refusal, or else why there is none. */
    @Nullable Refusal refusal(String namespace) {
        return trouble != null || refusal == null
                ? null
                : new Refusal(describe(namespace), refusal.reason(), refusal.state());
    }

    /** Why the last attempt has failed. */
    LeaseException trouble(String namespace) {
        return trouble != null
                ? trouble
                : new LeaseUnavailableException(
                        describe(namespace)
                                + " was not carried out within its time budget: others came first, and were not answered",
                        null);
    }

    private String describe(String namespace) {
        return request().describe() + " in namespace '" + namespace + "'";
    }
}
