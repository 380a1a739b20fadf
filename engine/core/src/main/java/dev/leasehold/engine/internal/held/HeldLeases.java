package dev.leasehold.engine.internal.held;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.FailureLog;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.session.LossListener;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The held leases, one at most for each name. A held lease begins with a grant and ends by a release, when its last handle is closed, or
 * by a loss. Event loop only, apart from {@link #count()} and {@link #requestCheck()}.
 *
 * <table>
 *   <caption>What follows a loss</caption>
 *   <tr><th>reason</th><th>session lease</th><th>term lease</th></tr>
 *   <tr><td>taken over, evicted, lease document lost</td><td colspan="2">forgotten: the tenure is over in the database</td></tr>
 *   <tr><td>expired, not renewed, clock anomaly, clock document lost</td><td>released</td><td>left to expire</td></tr>
 *   <tr><td>held too long</td><td colspan="2">released</td></tr>
 *   <tr><td>closed</td><td>released with the session</td><td>released</td></tr>
 *   <tr><td>engine failed</td><td>released with the session</td><td>left to expire</td></tr>
 * </table>
 */
public final class HeldLeases {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLeases.class);

    /** There is no timer for the end of a validity by wall time, so all are checked at least this often. */
    private static final long CHECK_PERIOD_NANOS = 500_000_000;

    /** If wall time advances in milliseconds, the remaining time by it stands still for as long. */
    private static final long SHORTEST_CHECK_NANOS = 100_000;

    /** Longer than most leases are held. */
    private static final long LONG_HELD_NANOS = 1_000_000_000;

    /** The coarsest wall clocks tick 64 times in a second, so at a grant they may be this far behind. */
    private static final long WALL_BEHIND_NANOS = 1_000_000_000 / 64;

    private final LeaseContext context;
    private final Releaser releaser;
    private final Consumer<String> freed;
    private final Map<String, HeldLease> byName = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final FailureLog renewalFailures = Renewer.newFailureLog();
    private boolean releasing = true;
    /** Loses a held lease once the engine is closed. */
    private Consumer<HeldLease> closed = heldLease -> {};

    /** Many tenures may be seen to end at once; one check finds them all. */
    private final AtomicBoolean checkPosted = new AtomicBoolean();

    private @Nullable Timer nextCheck;
    private boolean anyHeldForLong;
    private BooleanSupplier watched = () -> true;

    /** @param freed gets the name of each lease that was lost and is not released by this engine */
    public HeldLeases(LeaseContext context, Releaser releaser, Consumer<String> freed) {
        this.context = context;
        this.releaser = releaser;
        this.freed = freed;
    }

    FailureLog renewalFailures() {
        return renewalFailures;
    }

    /** The number of held leases. Any thread. */
    public int count() {
        return count.get();
    }

    /** Whether a lease was held for long at the last check. */
    public boolean anyHeldForLong() {
        return count() > 0 && anyHeldForLong;
    }

    /** Whether it has not ended. */
    public boolean has(HeldLease heldLease) {
        return of(heldLease.tenure().name()) == heldLease;
    }

    /** Whether the tenure is held, though its validity may have ended unnoticed. */
    public boolean has(Tenure tenure) {
        return find(tenure) != null;
    }

    public List<HeldLease> all() {
        return List.copyOf(byName.values());
    }

    /** The held lease of that name, whose validity may have ended unnoticed; null for none. */
    public @Nullable HeldLease of(String name) {
        return byName.get(name);
    }

    /** The held lease of that name and holder if it is valid; null otherwise. */
    public @Nullable HeldLease validFor(String name, String holder) {
        HeldLease heldLease = of(name);
        if (heldLease == null || !heldLease.tenure().holder().equals(holder)) {
            return null;
        }
        loseIfEnded(heldLease);
        return heldLease.remainingNanos() > 0 ? heldLease : null;
    }

    private @Nullable HeldLease find(Tenure tenure) {
        HeldLease heldLease = of(tenure.name());
        return heldLease != null && heldLease.tenure().equals(tenure) ? heldLease : null;
    }

    /** A tenure was granted. A former tenure of the lease is lost, even if its end was not noticed before. */
    public HeldLease begin(Tenure tenure, Request.Acquire request, int stripes) {
        HeldLease former = of(tenure.name());
        if (former != null) {
            loseIfEnded(former);
            lose(former, Reason.TAKEN_OVER, null);
        }
        HeldLease heldLease = new HeldLease(tenure, request, stripes, context, this);
        byName.put(tenure.name(), heldLease);
        count.incrementAndGet();
        scheduleCheck(heldLease.remainingNanos());
        if (heldLease.renewer() != null) {
            heldLease.renewer().schedule();
        }
        return heldLease;
    }

    // ---- handles ----

    /**
     * Opens a handle of the lease.
     *
     * @param acquiredNanos the instant of its acquisition
     * @param request the request that is granted with it
     */
    public LeaseHandle open(HeldLease heldLease, long acquiredNanos, Request.Acquire request) {
        Long notBeforeNanos = instantAfter(acquiredNanos, request.atLeastNanos());
        Long endNanos = instantAfter(acquiredNanos, request.atMostNanos());
        LeaseHandle handle = new LeaseHandle(heldLease, notBeforeNanos, endNanos, this, context);
        heldLease.add(handle);
        scheduleCheck(heldLease.remainingNanos());
        return handle;
    }

    private static @Nullable Long instantAfter(long acquiredNanos, long nanos) {
        return nanos == 0 ? null : (Long) StampClock.sum(acquiredNanos, nanos);
    }

    /**
     * Closes a handle; the last one releases the tenure. Completes when the tenure is certainly over in the database; as
     * not released when another handle of it is open, it was lost and is left to expire, or the engine was closed first.
     */
    CompletableFuture<ReleaseOutcome> close(LeaseHandle handle) {
        HeldLease heldLease = handle.heldLease();
        if (handle.wasDelivered()) {
            heldLease.markUsed(handle);
        }
        heldLease.remove(handle);
        if (heldLease.open().isEmpty() && remove(heldLease)) {
            return release(heldLease);
        }
        return heldLease.ended();
    }

    private CompletableFuture<ReleaseOutcome> release(HeldLease heldLease) {
        boolean unwatched =
                !watched.getAsBoolean() && context.nowNanos() - heldLease.grantedAtNanos() >= LONG_HELD_NANOS;
        if (unwatched) {
            heldLease.expectWaiters();
        }
        return releaser.release(heldLease.tenure(), heldLease.manner());
    }

    /** @param test whether changes are reported: else a lease that was held for long may have waiters without a word */
    public void watchedIf(BooleanSupplier test) {
        watched = test;
    }

    /** The queue of a lease was read. */
    public void onViewed(LeaseState state, QueueView view) {
        HeldLease heldLease = of(state.name());
        if (heldLease != null
                && state instanceof LeaseState.Held seen
                && seen.tenure().equals(heldLease.tenure())) {
            heldLease.viewed(view, state);
        }
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

    // ---- the end of validity ----

    /** A validity was seen to have ended, before the timer did. Any thread. */
    void requestCheck() {
        if (checkPosted.compareAndSet(false, true)) {
            boolean posted = false;
            try {
                context.loop().post(() -> {
                    checkPosted.set(false);
                    checkAll();
                });
                posted = true;
            } finally {
                if (!posted) {
                    checkPosted.set(false);
                }
            }
        }
    }

    /** Checks all held leases. The next check is scheduled first, so a failure with one of them does not stop it. */
    private void checkAll() {
        boolean longHeld = false;
        if (count() > 0) {
            scheduleCheck(CHECK_PERIOD_NANOS);
        }
        for (HeldLease heldLease : all()) {
            long remainingNanos = heldLease.remainingNanos();
            if (remainingNanos == 0) {
                loseIfEnded(heldLease);
            } else {
                scheduleCheck(remainingNanos);
                longHeld |= context.nowNanos() - heldLease.grantedAtNanos() >= LONG_HELD_NANOS;
            }
        }
        anyHeldForLong = longHeld;
    }

    private void scheduleCheck(long nanos) {
        long atNanos = context.inNanos(Math.max(SHORTEST_CHECK_NANOS, Math.min(nanos, CHECK_PERIOD_NANOS)));
        if (nextCheck == null || atNanos < nextCheck.atNanos()) {
            context.loop().cancel(nextCheck);
            nextCheck = context.loop().at(atNanos, () -> {
                nextCheck = null;
                checkAll();
            });
        }
    }

    /**
     * Reports the loss if the validity has ended, for which the reason may not have been reported here yet. If the engine was closed,
     * {@link #closeAll} reports it.
     */
    void loseIfEnded(HeldLease heldLease) {
        if (heldLease.remainingNanos() > 0 || context.operations().isClosed()) {
            return;
        }
        Reason cutShortBy = heldLease.validities().cutShortBy(heldLease.tenure());
        if (cutShortBy == null && heldLease.isHeldTooLong()) {
            lose(heldLease, Reason.HELD_TOO_LONG, null);
        } else if (cutShortBy == null) {
            loseByTime(heldLease);
        } else if (cutShortBy == Reason.TAKEN_OVER) {
            loseToCaller(heldLease);
        } else {
            lose(heldLease, cutShortBy, null);
        }
    }

    private void loseByTime(HeldLease heldLease) {
        Throwable failure = heldLease.renewer() == null
                ? context.partitions().heartbeatFailure(heldLease.tenure())
                : heldLease.renewer().stopUnanswered();
        if (hasClockAnomaly(heldLease)) {
            lose(heldLease, Reason.CLOCK_ANOMALY, null);
        } else {
            lose(heldLease, failure == null ? Reason.EXPIRED : Reason.NOT_RENEWED, failure);
        }
    }

    /**
     * Two clocks within the drift bound reach the end of a granted length at slightly different instants, which is no anomaly. The
     * length is the one granted last: another handle of the same tenure, or a caller that extended it, may have asked for more.
     */
    private boolean hasClockAnomaly(HeldLease heldLease) {
        long grantedNanos = heldLease.validities().grantedNanos(heldLease.tenure());
        long toleranceNanos = context.settings().drift().stretchNanos(grantedNanos) - grantedNanos + WALL_BEHIND_NANOS;
        return heldLease.validities().cutShortByWallNanos(heldLease.tenure()) > toleranceNanos;
    }

    // ---- losses ----

    /** A caller releases a tenure by {@code Tenures.release}. Most often the tenure is not held here. */
    public void onCallerRelease(Tenure tenure) {
        HeldLease heldLease = find(tenure);
        if (heldLease != null) {
            loseToCaller(heldLease);
        }
    }

    private void loseToCaller(HeldLease heldLease) {
        lose(heldLease, Reason.TAKEN_OVER, null);
        // After the caller's own release, if any. If that fails, the session would keep the lease for ever.
        heldLease.ended(releaser.release(heldLease.tenure(), heldLease.mannerAfterLoss()));
    }

    /** A tenure was reported as lost. It may not be held here. */
    public void onLost(Tenure tenure, Reason reason) {
        HeldLease heldLease = find(tenure);
        if (heldLease != null) {
            lose(heldLease, reason, null);
        } else {
            LossListener.log(tenure, reason);
        }
    }

    public void lose(HeldLease heldLease, Reason reason, @Nullable Throwable cause) {
        if (!has(heldLease)) {
            return;
        }
        // With its cause: the log gets one line for each lease and no stack trace.
        String message = LossListener.describe(reason)
                + (cause == null ? "" : ": " + (cause instanceof Error ? cause : cause.getMessage()));
        LeaseLoss loss = new LeaseLoss(heldLease.tenure(), reason, message, cause);
        heldLease.end(loss);
        heldLease.validities().end(heldLease.tenure());
        // Last: if a call above throws, later checks still find it in the map.
        remove(heldLease);
        try {
            report(loss);
        } finally {
            try {
                heldLease.open().forEach(handle -> handle.lost(loss));
            } finally {
                heldLease.ended(releaseAfterLoss(heldLease, reason));
            }
        }
    }

    private void report(LeaseLoss loss) {
        context.metrics().record(new TenureLost(loss.reason()));
        LOG.atLevel(loss.reason() == Reason.CLOSED ? Level.INFO : Level.WARN)
                .log("{}: lost: {}", LogContext.of(loss.tenure()), loss.message());
    }

    /**
     * A session lease lost by time is released, because the live session would keep it for ever. A term lease is left to expire: a
     * caller elsewhere may have extended it by its tenure, and that extension was promised.
     */
    private CompletableFuture<ReleaseOutcome> releaseAfterLoss(HeldLease heldLease, Reason reason) {
        return switch (reason) {
            case TAKEN_OVER, EVICTED, LEASE_DOCUMENT_LOST -> forget(heldLease, ReleaseOutcome.OVER_BEFORE);
            case EXPIRED, NOT_RENEWED, CLOCK_ANOMALY, CLOCK_DOCUMENT_LOST ->
                heldLease.isSessionLease()
                        ? releaser.release(heldLease.tenure(), heldLease.mannerAfterLoss())
                        : forget(heldLease, ReleaseOutcome.NOT_RELEASED);
            case HELD_TOO_LONG -> releaser.release(heldLease.tenure(), heldLease.mannerAfterLoss());
            // The end of the session frees its leases at once, all together. Those with waiters are granted before.
            case CLOSED, ENGINE_FAILED ->
                releasing
                                && (!heldLease.isSessionLease()
                                        || heldLease.notBeforeNanos() != null
                                        || heldLease.hasWaiters())
                        ? release(heldLease)
                        : CompletableFuture.completedFuture(ReleaseOutcome.NOT_RELEASED);
        };
    }

    private CompletableFuture<ReleaseOutcome> forget(HeldLease heldLease, ReleaseOutcome outcome) {
        heldLease.validities().forget(heldLease.tenure());
        freed.accept(heldLease.tenure().name());
        return CompletableFuture.completedFuture(outcome);
    }

    /**
     * The engine is closed. A failure with one held lease does not stop the loss of the others.
     *
     * @param releasing whether term leases are released
     */
    public void closeAll(Reason reason, @Nullable Throwable cause, boolean releasing) {
        this.releasing = releasing;
        closed = heldLease -> lose(heldLease, reason, cause);
        context.loop()
                .guardedEach(all().stream()
                        .map(heldLease -> (Runnable) () -> lose(heldLease, reason, cause))
                        .toList());
    }

    /** Reports the loss of a tenure that was granted after the engine was closed. */
    public void loseIfClosed(HeldLease heldLease) {
        closed.accept(heldLease);
    }
}
