package dev.leasehold.engine.handle;

import dev.leasehold.engine.handle.Agenda.Alarm;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the time of a tenure is over: at the instant itself by monotonic time, and by a look now and then for the end
 * by time of day, for which there is no alarm.
 */
final class Pulse {

    private static final long LONGEST_NANOS = 500_000_000;

    /** Where time of day is shown in milliseconds, what is left by it stands still for as long. */
    private static final long SHORTEST_NANOS = 100_000;

    /** Longer than most work takes that a lease is held for. */
    static final long LONG_HELD_NANOS = 1_000_000_000;

    private final Surroundings around;
    private final Holdings holdings;
    /** Many tenures may be seen to end at once; one look finds them all. */
    private final AtomicBoolean lookPosted = new AtomicBoolean();

    private @Nullable Alarm next;
    private boolean sawLongHeld;

    Pulse(Surroundings around, Holdings holdings) {
        this.around = around;
        this.holdings = holdings;
    }

    void begin(Holding holding) {
        beatIn(holding.remainingNanos());
    }

    /** Somebody has seen the end of a tenure. Any thread may say so. */
    void look() {
        if (lookPosted.compareAndSet(false, true)) {
            boolean taken = false;
            try {
                around.agenda().post(this::lookNow);
                taken = true;
            } finally {
                if (!taken) {
                    lookPosted.set(false);
                }
            }
        }
    }

    private void lookNow() {
        lookPosted.set(false);
        beat();
    }

    /** Whether the last beat saw something that had been held for long. */
    boolean sawLongHeld() {
        return sawLongHeld;
    }

    /** Looks at all that is held. Whatever goes wrong with one of them, the next beat comes. */
    private void beat() {
        if (holdings.count() == 0) {
            sawLongHeld = false;
            return;
        }
        beatIn(LONGEST_NANOS);
        boolean longHeld = false;
        for (Holding holding : holdings.all()) {
            long remainingNanos = holding.remainingNanos();
            if (remainingNanos == 0) {
                holdings.loseIfEnded(holding);
            } else {
                beatIn(remainingNanos);
                longHeld |= around.nowNanos() - holding.beganNanos() >= LONG_HELD_NANOS;
            }
        }
        sawLongHeld = longHeld;
    }

    private void beatIn(long nanos) {
        long atNanos = around.inNanos(Math.max(SHORTEST_NANOS, Math.min(nanos, LONGEST_NANOS)));
        if (next == null || atNanos < next.atNanos()) {
            if (next != null) {
                around.agenda().cancel(next);
            }
            next = around.agenda().at(atNanos, this::ring);
        }
    }

    private void ring() {
        next = null;
        beat();
    }
}
