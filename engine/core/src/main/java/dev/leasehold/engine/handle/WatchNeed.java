package dev.leasehold.engine.handle;

import dev.leasehold.engine.handle.Agenda.Alarm;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is worth listening for changes. For those who wait at once; for those who hold only once something has been held
 * for a while, since a stream costs more to open than a short holding does altogether. Of the agenda's thread alone.
 */
final class WatchNeed {

    /** Whoever waited will often wait again soon. */
    static final long LINGER_NANOS = 30_000_000_000L;

    private final Surroundings around;
    private final Lines lines;
    private final Holdings holdings;
    private final LeaseWatch watch;
    private boolean needed;
    private @Nullable Alarm endOfLinger;

    WatchNeed(Surroundings around, Lines lines, Holdings holdings, LeaseWatch watch) {
        this.around = around;
        this.lines = lines;
        this.holdings = holdings;
        this.watch = watch;
    }

    /** Follows what has changed. */
    void tend() {
        boolean needed = lines.anybodyWaits() || holdings.anyHeldForLong();
        if (needed == this.needed) {
            return;
        }
        if (needed) {
            begin();
        } else {
            endOfLinger = around.agenda().at(around.inNanos(LINGER_NANOS), this::end);
        }
        // Not before that is certain.
        this.needed = needed;
    }

    private void begin() {
        if (endOfLinger != null) {
            around.agenda().cancel(endOfLinger);
            endOfLinger = null;
        }
        watch.want(true);
    }

    private void end() {
        endOfLinger = null;
        watch.want(false);
    }
}
