package dev.leasehold.engine.handle;

import dev.leasehold.engine.handle.Agenda.Alarm;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the time of a tenure is over: at the instant itself by monotonic time, and by a look now and then for the end
 * by time of day, for which there is no alarm.
 */
final class Pulse {

    private static final long LONGEST_NANOS = 500_000_000;

    private final Surroundings around;
    private final Holdings holdings;
    private @Nullable Alarm next;

    Pulse(Surroundings around, Holdings holdings) {
        this.around = around;
        this.holdings = holdings;
    }

    void begin(Holding holding) {
        beatIn(holding.remainingNanos());
    }

    /** Looks at all that is held. */
    void beat() {
        long leastNanos = LONGEST_NANOS;
        for (Holding holding : holdings.all()) {
            holdings.loseIfEnded(holding);
            if (holding.loss() == null) {
                leastNanos = Math.min(leastNanos, holding.remainingNanos());
            }
        }
        if (holdings.count() > 0) {
            beatIn(leastNanos);
        }
    }

    private void beatIn(long nanos) {
        long atNanos = around.inNanos(Math.min(nanos, LONGEST_NANOS));
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
