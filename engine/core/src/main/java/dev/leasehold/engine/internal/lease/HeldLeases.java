package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.session.LossListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tenures that handles are open for, and how they end. Of the agenda's thread alone, apart from their number. */
final class HeldLeases {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLeases.class);

    /** Some machines show time of day in milliseconds, so that it may be as far behind when something is granted. */
    private static final long WALL_BEHIND_NANOS = 1_000_000;

    private final LeaseContext context;
    private final Releaser releaser;
    private final Consumer<String> freed;
    private final BooleanSupplier closed;
    private final ExpiryTimer expiryTimer;
    private final Map<String, HeldLease> byName = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private boolean releasing = true;

    /**
     * Without any.
     *
     * @param freed gets the name of each lease that somebody else has ended
     * @param closed whether the engine was closed, which ends all beliefs
     */
    HeldLeases(LeaseContext context, Releaser releaser, Consumer<String> freed, BooleanSupplier closed) {
        this.context = context;
        this.releaser = releaser;
        this.freed = freed;
        this.closed = closed;
        this.expiryTimer = new ExpiryTimer(context, this);
    }

    /** How many tenures are held. Any thread may ask. */
    int count() {
        return count.get();
    }

    /** Whether something was held for long, at the last look. */
    boolean anyHeldForLong() {
        return count() > 0 && expiryTimer.anyHeldForLong();
    }

    /** Whether it is none of the past. */
    boolean has(HeldLease heldLease) {
        return of(heldLease.tenure().name()) == heldLease;
    }

    List<HeldLease> all() {
        return List.copyOf(byName.values());
    }

    /** That of a lease, which may have ended. */
    @Nullable HeldLease of(String name) {
        return byName.get(name);
    }

    /** What a holder holds, if it may be believed. */
    @Nullable HeldLease validFor(String name, String holder) {
        HeldLease heldLease = find(name, holder);
        if (heldLease == null) {
            return null;
        }
        loseIfEnded(heldLease);
        return heldLease.remainingNanos() > 0 ? heldLease : null;
    }

    private @Nullable HeldLease find(String name, String holder) {
        HeldLease heldLease = of(name);
        return heldLease != null && heldLease.tenure().holder().equals(holder) ? heldLease : null;
    }

    private @Nullable HeldLease find(Tenure tenure) {
        HeldLease heldLease = of(tenure.name());
        return heldLease != null && heldLease.tenure().equals(tenure) ? heldLease : null;
    }

    /** A tenure was granted. Whoever held the lease before holds it no longer, whether that was noticed or not. */
    HeldLease begin(Tenure tenure, AcquireSpec spec, int stripes) {
        HeldLease former = of(tenure.name());
        if (former != null) {
            loseIfEnded(former);
            lose(former, Reason.TAKEN_OVER, null);
        }
        HeldLease heldLease = new HeldLease(tenure, spec, stripes, context, this::onExpirySeen);
        byName.put(tenure.name(), heldLease);
        count.incrementAndGet();
        expiryTimer.onGranted(heldLease);
        if (!heldLease.isSessionLease()) {
            Renewer renewer = new Renewer(context, heldLease, this);
            heldLease.renewBy(renewer);
            renewer.schedule();
        }
        return heldLease;
    }

    /** Another handle of a tenure. */
    LeaseHandle open(HeldLease heldLease) {
        LeaseHandle handle = new LeaseHandle(heldLease, this, context);
        heldLease.open().add(handle);
        return handle;
    }

    /**
     * A handle was closed. Completes with true when the tenure is certainly over in the database; with false when another handle of it
     * is open, it was lost and is left to run out, or the engine was closed first.
     */
    CompletableFuture<Boolean> close(LeaseHandle handle) {
        HeldLease heldLease = handle.heldLease();
        heldLease.open().remove(handle);
        if (handle.wasDelivered()) {
            heldLease.markUsed();
        }
        if (heldLease.open().isEmpty() && remove(heldLease)) {
            return release(heldLease);
        }
        // What was lost by time may have to be released yet, by the engine itself.
        return releaser.isReleasing(heldLease.tenure())
                ? releaser.release(heldLease.tenure())
                : CompletableFuture.completedFuture(isOver(heldLease));
    }

    private CompletableFuture<Boolean> release(HeldLease heldLease) {
        return releaser.release(heldLease.tenure(), heldLease.notBeforeNanos());
    }

    /** Whether the database shows the tenure no longer, of one that nothing is sent for any more. */
    private static boolean isOver(HeldLease heldLease) {
        LeaseLoss loss = heldLease.loss();
        return loss != null
                && switch (loss.reason()) {
                    case TAKEN_OVER, EVICTED -> true;
                    case EXPIRED, NOT_RENEWED, CLOCK_ANOMALY -> heldLease.isSessionLease();
                    case CLOSED, ENGINE_FAILED -> false;
                };
    }

    private boolean remove(HeldLease heldLease) {
        if (!has(heldLease)) {
            return false;
        }
        byName.remove(heldLease.tenure().name());
        count.decrementAndGet();
        if (heldLease.renewer() != null) {
            heldLease.renewer().stop();
        }
        return true;
    }

    /** Somebody has asked and was told that it is over, before anybody here has noticed. Any thread. */
    private void onExpirySeen() {
        expiryTimer.requestCheck();
    }

    /** Its time may be over. What the closing of the engine has ended is about to be told so. */
    void loseIfEnded(HeldLease heldLease) {
        if (heldLease.remainingNanos() == 0 && !closed.getAsBoolean()) {
            loseByWindowEnd(heldLease);
        }
    }

    /** The word of why it has ended may be on its way. */
    private void loseByWindowEnd(HeldLease heldLease) {
        Reason cutShortBy = context.operations().cutShortBy(heldLease.tenure());
        if (cutShortBy == null) {
            loseByTime(heldLease);
        } else if (cutShortBy == Reason.TAKEN_OVER) {
            loseToCaller(heldLease);
        } else {
            lose(heldLease, cutShortBy, null);
        }
    }

    private void loseByTime(HeldLease heldLease) {
        Throwable trouble = heldLease.renewer() == null
                ? context.operations().heartbeatFailure(heldLease.tenure())
                : heldLease.renewer().stopUnanswered();
        if (hasClockAnomaly(heldLease)) {
            lose(heldLease, Reason.CLOCK_ANOMALY, null);
        } else if (trouble != null) {
            lose(heldLease, Reason.NOT_RENEWED, trouble);
        } else {
            lose(heldLease, Reason.EXPIRED, null);
        }
    }

    /**
     * Two clocks that keep to the drift bound come to the end of what was granted at instants a little apart. That is no anomaly. It
     * may have been granted for longer than the handle was asked for, to another one of the same tenure or to a caller who has
     * extended it.
     */
    private boolean hasClockAnomaly(HeldLease heldLease) {
        long grantedNanos = context.operations().grantedNanos(heldLease.tenure());
        long mayDifferNanos = context.settings().drift().stretchNanos(grantedNanos) - grantedNanos + WALL_BEHIND_NANOS;
        return context.operations().cutShortByWallNanos(heldLease.tenure()) > mayDifferNanos;
    }

    /** A caller has asked for the end of a tenure by itself. Most often it is none of these. */
    void onCallerRelease(Tenure tenure) {
        HeldLease heldLease = find(tenure);
        if (heldLease != null) {
            loseToCaller(heldLease);
        }
    }

    private void loseToCaller(HeldLease heldLease) {
        lose(heldLease, Reason.TAKEN_OVER, null);
        // Behind the caller's own, if there is one, which may come to nothing: the session would keep the lease for
        // ever.
        release(heldLease);
    }

    /** Somebody says that a tenure is over. It may be none of these. */
    void onLost(Tenure tenure, Reason reason) {
        HeldLease heldLease = find(tenure);
        if (heldLease != null) {
            lose(heldLease, reason, null);
        } else {
            LossListener.log(tenure, reason);
        }
    }

    void lose(HeldLease heldLease, Reason reason, @Nullable Throwable cause) {
        if (!has(heldLease)) {
            return;
        }
        LeaseLoss loss = new LeaseLoss(heldLease.tenure(), reason, message(reason, cause), cause);
        heldLease.end(loss);
        context.operations().endValidity(heldLease.tenure());
        // Only what is here is looked at again.
        remove(heldLease);
        try {
            report(loss);
        } finally {
            notifyHandles(heldLease, loss);
        }
    }

    private void notifyHandles(HeldLease heldLease, LeaseLoss loss) {
        try {
            heldLease.open().forEach(handle -> handle.lost(loss));
        } finally {
            releaseAfterLoss(heldLease, loss.reason());
        }
    }

    /**
     * A session that lives on would keep a lease for ever that was lost by time, so it is given back. A term is left to run out: it may
     * have been extended elsewhere by its tenure, and whoever did that was promised it.
     */
    private void releaseAfterLoss(HeldLease heldLease, Reason reason) {
        switch (reason) {
            case TAKEN_OVER, EVICTED -> forget(heldLease);
            case EXPIRED, NOT_RENEWED, CLOCK_ANOMALY -> {
                if (heldLease.isSessionLease()) {
                    release(heldLease);
                } else {
                    forget(heldLease);
                }
            }
            case CLOSED, ENGINE_FAILED -> {
                // The end of the session frees the others at once, and all together.
                if (releasing && (!heldLease.isSessionLease() || heldLease.notBeforeNanos() != null)) {
                    release(heldLease);
                }
            }
        }
    }

    private void forget(HeldLease heldLease) {
        context.operations().forget(heldLease.tenure());
        freed.accept(heldLease.tenure().name());
    }

    private void report(LeaseLoss loss) {
        context.metrics().record(new TenureLost(loss.reason()));
        if (loss.reason() == Reason.CLOSED) {
            LOG.info("{}: lost: {}", LogContext.of(loss.tenure()), loss.message());
        } else {
            LOG.warn("{}: lost: {}", LogContext.of(loss.tenure()), loss.message());
        }
    }

    /** With the cause in it: the log has one line for each of the leases, and no stack trace for any. */
    private static String message(Reason reason, @Nullable Throwable cause) {
        return LossListener.describe(reason)
                + (cause == null ? "" : ": " + (cause instanceof Error ? cause : cause.getMessage()));
    }

    /**
     * The engine is closed. Whatever goes wrong with one of them, the others are lost as well.
     *
     * @param releasing whether those with a term are released
     */
    void closeAll(Reason reason, @Nullable Throwable cause, boolean releasing) {
        this.releasing = releasing;
        all().forEach(heldLease -> context.loop().guarded(() -> lose(heldLease, reason, cause)));
    }
}
