package dev.leasehold.engine.internal.held;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.session.ValidityTracker;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * A tenure that handles of this engine share. {@link #remainingNanos()}, {@link #loss()} and {@link #assertion()} may be called on any
 * thread; the rest on the event loop only.
 *
 * <p>Valid until the validity ends, is seen to have ended, or the loss is reported. It never becomes valid again.
 */
public final class HeldLease {

    private final Tenure tenure;
    private final Request.Acquire request;
    private final @Nullable LeaseAssertion striped;
    private final LeaseContext context;
    private final ValidityTracker validities;
    private final long grantedAtNanos;
    private final Runnable onExpirySeen;
    private final Set<LeaseHandle> open = new CopyOnWriteArraySet<>();
    private final @Nullable Renewer renewer;
    private boolean selfWaitSeen;
    /** A waiter may be there. */
    private boolean waitersExpected;

    private QueueView queue = QueueView.NONE;
    private @Nullable String nextInstance;
    /** The latest instant for which a closed handle asked; null for none. */
    private volatile @Nullable Long notBeforeNanos;

    /**
     * Set once any caller has seen that the lease is not held: a late renewal must not contradict that. The validity window ends for
     * good as well, but an extension after its end begins a new window of the same tenure, for callers that ask by tenure.
     */
    private volatile boolean over;

    /** The first instant from which on an open handle does not want the lease; the end of time for none. */
    private volatile long endNanos = Long.MAX_VALUE;

    /** Set once any caller has seen that {@link #endNanos} was reached: it may move on when a handle is closed. */
    private volatile boolean heldTooLong;

    private volatile @Nullable LeaseLoss loss;

    private CompletableFuture<ReleaseOutcome> ended = CompletableFuture.completedFuture(ReleaseOutcome.NOT_RELEASED);

    /** @param stripes the number of gate stripes that show it; 0 for none */
    HeldLease(Tenure tenure, Request.Acquire request, int stripes, LeaseContext context, HeldLeases heldLeases) {
        this.tenure = tenure;
        this.request = request;
        // After its end the next grant may need to write all stripes, so assertions should leave them alone.
        this.striped = stripes == 0
                ? null
                : context.assertions().apply(tenure).gateStripes(stripes, () -> remainingNanos() > 0);
        this.context = context;
        this.validities = context.validities(tenure);
        this.grantedAtNanos = context.nowNanos();
        this.onExpirySeen = heldLeases::requestCheck;
        Long termNanos = request.termNanos();
        this.renewer = termNanos == null ? null : new Renewer(context, this, heldLeases, termNanos);
    }

    public Tenure tenure() {
        return tenure;
    }

    Request.Acquire request() {
        return request;
    }

    /** Renews a term lease; null for a session lease. */
    @Nullable Renewer renewer() {
        return renewer;
    }

    boolean isSessionLease() {
        return renewer == null;
    }

    Set<LeaseHandle> open() {
        return open;
    }

    void add(LeaseHandle handle) {
        open.add(handle);
        updateEnd();
    }

    void remove(LeaseHandle handle) {
        open.remove(handle);
        updateEnd();
    }

    private void updateEnd() {
        long firstNanos = Long.MAX_VALUE;
        for (LeaseHandle handle : open) {
            Long handleEndNanos = handle.endNanos();
            firstNanos = handleEndNanos == null ? firstNanos : Math.min(firstNanos, handleEndNanos);
        }
        endNanos = firstNanos;
    }

    /** Whether an open handle has held it for as long as its request allows. Any thread. */
    boolean isHeldTooLong() {
        return untilEndNanos() == 0;
    }

    /** Once 0, always 0. */
    private long untilEndNanos() {
        long endNanos = this.endNanos;
        long leftNanos = endNanos == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, endNanos - context.nowNanos());
        if (leftNanos == 0) {
            heldTooLong = true;
        }
        return heldTooLong ? 0 : leftNanos;
    }

    /** The instant of the grant, or slightly later. */
    public long grantedAtNanos() {
        return grantedAtNanos;
    }

    /** With stripes always the same object, so that transactions that share it avoid each other's stripes. Any thread. */
    LeaseAssertion assertion() {
        return striped == null ? context.assertions().apply(tenure) : striped;
    }

    /** Whether this thread has an open handle of this lease and is the first such thread to wait for it. Remembers the result. */
    public boolean isFirstSelfWait(Thread thread) {
        boolean first = !selfWaitSeen && open.stream().anyMatch(handle -> handle.isOpenFor(thread));
        selfWaitSeen |= first;
        return first;
    }

    /** A handle that was delivered to a caller was closed. */
    void markUsed(LeaseHandle handle) {
        notBeforeNanos = later(notBeforeNanos, handle.notBeforeNanos());
    }

    /**
     * The instant before which the lease must not be taken after its release, the latest for which a handle asked that a caller had;
     * null for none. Any thread.
     */
    @Nullable Long notBeforeNanos() {
        Long latest = notBeforeNanos;
        for (LeaseHandle handle : open) {
            latest = later(latest, handle.notBeforeNanos());
        }
        return latest;
    }

    private static @Nullable Long later(@Nullable Long one, @Nullable Long other) {
        return one == null || other != null && other > one ? other : one;
    }

    /** A waiter is to be expected: its release reads its queue, if that was not just read. */
    public void expectWaiters() {
        waitersExpected = true;
    }

    public boolean expectsWaiters() {
        return waitersExpected;
    }

    /** Its queue was read under this tenure, together with that state. */
    void viewed(QueueView view, LeaseState state) {
        queue = view;
        waitersExpected |= view.others() > 0;
        if (mayHandOver(state)) {
            open.forEach(handle -> handle.viewed(view));
        }
    }

    /** Whether a release may grant it, as just read, to a waiter: not while it is pinned, or to be kept free. Any thread. */
    boolean mayHandOver(LeaseState state) {
        Long notBefore = notBeforeNanos();
        return state instanceof LeaseState.Held seen
                && seen.tenure().equals(tenure)
                && seen.pins().isEmpty()
                && (notBefore == null || notBefore <= context.nowNanos());
    }

    /** Its release prefers a waiter of this instance. */
    void prefer(String instance) {
        nextInstance = instance;
    }

    /** How it is released when its last handle is closed. */
    Releaser.Manner manner() {
        return new Releaser.Manner(notBeforeNanos(), false, waitersExpected || nextInstance != null, nextInstance);
    }

    /** Whether it is known that there is a waiter. */
    boolean hasWaiters() {
        return queue.others() > 0;
    }

    /** How it is released after a loss: what is lost keeps nothing free and prefers no instance. */
    Releaser.Manner mannerAfterLoss() {
        return waitersExpected ? Releaser.Manner.READING_FIRST : Releaser.Manner.PLAIN;
    }

    ValidityTracker validities() {
        return validities;
    }

    @Nullable LeaseLoss loss() {
        return loss;
    }

    /** How long it is still valid. Once 0, always 0. Never blocks. Any thread. */
    long remainingNanos() {
        long remainingNanos = over ? 0 : Math.min(validities.remainingNanos(tenure), untilEndNanos());
        if (remainingNanos == 0 && !over) {
            over = true;
            onExpirySeen.run();
        }
        // Another thread may have seen the end meanwhile.
        return over ? 0 : remainingNanos;
    }

    /** What has become of the tenure after its loss, once no release of it is pending. */
    CompletableFuture<ReleaseOutcome> ended() {
        return ended;
    }

    void ended(CompletableFuture<ReleaseOutcome> outcome) {
        ended = outcome;
    }

    void end(LeaseLoss loss) {
        this.loss = loss;
        over = true;
    }
}
