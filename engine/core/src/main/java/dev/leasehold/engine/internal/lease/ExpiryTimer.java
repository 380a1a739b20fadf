package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the time of a tenure is over: at the instant itself by monotonic time, and by a look now and then for the end
 * by time of day, for which there is no alarm.
 */
final class ExpiryTimer {

    private static final long LONGEST_NANOS = 500_000_000;

    /** Where time of day is shown in milliseconds, what is left by it stands still for as long. */
    private static final long SHORTEST_NANOS = 100_000;

    /** Longer than most work takes that a lease is held for. */
    static final long LONG_HELD_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final HeldLeases heldLeases;
    /** Many tenures may be seen to end at once; one look finds them all. */
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

    /** Somebody has seen the end of a tenure. Any thread may say so. */
    void requestCheck() {
        if (checkPosted.compareAndSet(false, true)) {
            boolean taken = false;
            try {
                context.loop().post(this::checkNow);
                taken = true;
            } finally {
                if (!taken) {
                    checkPosted.set(false);
                }
            }
        }
    }

    private void checkNow() {
        checkPosted.set(false);
        checkAll();
    }

    /** Whether the last beat saw something that had been held for long. */
    boolean anyHeldForLong() {
        return anyHeldForLong;
    }

    /** Looks at all that is held. Whatever goes wrong with one of them, the next beat comes. */
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
                longHeld |= context.nowNanos() - heldLease.beganNanos() >= LONG_HELD_NANOS;
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
