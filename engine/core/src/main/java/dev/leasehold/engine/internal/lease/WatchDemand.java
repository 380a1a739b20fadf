package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is worth listening for changes. For those who wait at once; for those who hold only once something has been held
 * for a while, since a stream costs more to open than a short holding does altogether. Of the agenda's thread alone.
 */
final class WatchDemand {

    /** Whoever waited will often wait again soon. */
    static final long LINGER_NANOS = 30_000_000_000L;

    private final LeaseContext context;
    private final AcquireQueues queues;
    private final HeldLeases heldLeases;
    private final ChangeWatcher watcher;
    private boolean needed;
    private @Nullable Timer endOfLinger;

    WatchDemand(LeaseContext context, AcquireQueues queues, HeldLeases heldLeases, ChangeWatcher watcher) {
        this.context = context;
        this.queues = queues;
        this.heldLeases = heldLeases;
        this.watcher = watcher;
    }

    /** Follows what has changed. */
    void update() {
        boolean needed = queues.hasWaiters() || heldLeases.anyHeldForLong();
        if (needed == this.needed) {
            return;
        }
        if (needed) {
            begin();
        } else {
            endOfLinger = context.loop().at(context.inNanos(LINGER_NANOS), this::end);
        }
        // Not before that is certain.
        this.needed = needed;
    }

    private void begin() {
        if (endOfLinger != null) {
            context.loop().cancel(endOfLinger);
            endOfLinger = null;
        }
        watcher.setWanted(true);
    }

    private void end() {
        endOfLinger = null;
        watcher.setWanted(false);
    }
}
