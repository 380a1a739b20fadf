package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tenure that handles of this process are open for. Any thread may ask whether it is believed in; the rest belongs to
 * the agenda's thread.
 */
final class HeldLease {

    private final Tenure tenure;
    private final AcquireSpec spec;
    private final @Nullable LeaseAssertion striped;
    private final LeaseContext context;
    private final long beganNanos;
    private final Runnable onExpirySeen;
    private final Set<LeaseHandle> open = new LinkedHashSet<>();
    private @Nullable Renewer renewer;
    private boolean waitedForByItself;
    private boolean used;

    /**
     * Set as soon as anybody was told that it is no longer held: a late renewal must not contradict that. The span below does so
     * too, but an extension that comes after its end begins another under the same tenure, for those who ask by tenure.
     */
    private volatile boolean over;

    private volatile @Nullable LeaseLoss loss;

    /**
     * A tenure that was just granted.
     *
     * @param spec of the acquisition that began it
     * @param stripes how many gate stripes show it
     * @param onEndSeen runs on any thread when somebody is the first to see that the belief has ended
     */
    HeldLease(Tenure tenure, AcquireSpec spec, int stripes, LeaseContext context, Runnable onEndSeen) {
        this.tenure = tenure;
        this.spec = spec;
        this.striped = stripes == 0 ? null : context.assertions().apply(tenure).gateStripes(stripes, this::isValid);
        this.context = context;
        this.beganNanos = context.nowNanos();
        this.onExpirySeen = onEndSeen;
    }

    Tenure tenure() {
        return tenure;
    }

    AcquireSpec spec() {
        return spec;
    }

    /** Past its end there is somebody who wants to write all stripes, so that assertions had better leave them alone. */
    private boolean isValid() {
        return remainingNanos() > 0;
    }

    /** Where there are stripes always the same, since those who share it keep out of each other's way. Any thread. */
    LeaseAssertion assertion() {
        return striped == null ? context.assertions().apply(tenure) : striped;
    }

    /** When it was granted, or a little later. */
    long beganNanos() {
        return beganNanos;
    }

    /** Whether a thread that has a handle of this waits for its end, and none did before. */
    boolean isFirstToWaitForItself(Thread thread) {
        boolean first = !waitedForByItself && open.stream().anyMatch(handle -> handle.isOpenFor(thread));
        waitedForByItself |= first;
        return first;
    }

    /** A caller who had a handle of it has closed that. */
    void markUsed() {
        used = true;
    }

    /** Until when nobody is to take the lease when it is released; null for at once, also for what no caller here ever had. */
    @Nullable Long notBeforeNanos() {
        boolean hadByACaller = used || !open.isEmpty();
        return hadByACaller && spec.atLeastNanos() > 0
                ? (Long) LeaseContext.sum(beganNanos, spec.atLeastNanos())
                : null;
    }

    boolean isSessionLease() {
        return spec.termNanos() == null;
    }

    Set<LeaseHandle> open() {
        return open;
    }

    void renewBy(Renewer renewer) {
        this.renewer = renewer;
    }

    /** How it is kept; null for a lease that the session keeps. */
    @Nullable Renewer renewer() {
        return renewer;
    }

    @Nullable LeaseLoss loss() {
        return loss;
    }

    /** How long it may be believed in yet. Once this was 0 it stays 0. Never blocks. */
    long remainingNanos() {
        long remainingNanos = over ? 0 : context.operations().remainingNanos(tenure);
        if (remainingNanos == 0 && !over) {
            over = true;
            onExpirySeen.run();
        }
        // Somebody else may have seen the end while this was reading.
        return over ? 0 : remainingNanos;
    }

    /** It was lost. */
    void end(LeaseLoss loss) {
        this.loss = loss;
        over = true;
    }
}
