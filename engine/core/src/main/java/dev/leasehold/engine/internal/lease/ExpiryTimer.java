package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Detects the end of the validity of held leases: by a timer for the end by monotonic time, and by periodic checks for the end by wall
 * time, for which there is no timer. Event loop only, apart from {@link #requestCheck()}.
 */
final class ExpiryTimer {

    private static final long LONGEST_NANOS = 500_000_000;

    /** If wall time advances in milliseconds, the remaining time by it stands still for as long. */
    private static final long SHORTEST_NANOS = 100_000;

    /** Longer than most leases are held. */
    static final long LONG_HELD_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final HeldLeases heldLeases;
    /** Many tenures may be seen to end at once; one check finds them all. */
    private final AtomicBoolean checkPosted = new AtomicBoolean();

    private @Nullable Timer next;
    private boolean anyHeldForLong;

    ExpiryTimer(LeaseContext context, HeldLeases heldLeases) {
        this.context = context;
        this.heldLeases = heldLeases;
    }

    void onGranted(HeldLease heldLease) {
        scheduleCheck(heldLease.remainingNanos());
    }

    /** A validity was seen to have ended. Any thread. */
    void requestCheck() {
        if (checkPosted.compareAndSet(false, true)) {
            boolean posted = false;
            try {
                context.loop().post(this::checkNow);
                posted = true;
            } finally {
                if (!posted) {
                    checkPosted.set(false);
                }
            }
        }
    }

    private void checkNow() {
        checkPosted.set(false);
        checkAll();
    }

    /** Whether the last check found a lease held for long. */
    boolean anyHeldForLong() {
        return anyHeldForLong;
    }

    /** Checks all held leases. The next check is scheduled first, so a failure with one of them does not stop it. */
    private void checkAll() {
        if (heldLeases.count() == 0) {
            anyHeldForLong = false;
            return;
        }
        scheduleCheck(LONGEST_NANOS);
        boolean longHeld = false;
        for (HeldLease heldLease : heldLeases.all()) {
            long remainingNanos = heldLease.remainingNanos();
            if (remainingNanos == 0) {
                heldLeases.loseIfEnded(heldLease);
            } else {
                scheduleCheck(remainingNanos);
                longHeld |= context.nowNanos() - heldLease.grantedAtNanos() >= LONG_HELD_NANOS;
            }
        }
        anyHeldForLong = longHeld;
    }

    private void scheduleCheck(long nanos) {
        long atNanos = context.inNanos(Math.max(SHORTEST_NANOS, Math.min(nanos, LONGEST_NANOS)));
        if (next == null || atNanos < next.atNanos()) {
            if (next != null) {
                context.loop().cancel(next);
            }
            next = context.loop().at(atNanos, this::onTimer);
        }
    }

    private void onTimer() {
        next = null;
        checkAll();
    }
}
