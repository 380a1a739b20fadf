package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the change stream is wanted: at once if an acquire waits; for held leases only once one has been held for long, since
 * opening a stream costs more than a short lease does in all. Event loop only.
 *
 * <p>Off; then on when needed; then lingering when no longer needed; then on again if needed in time, or off.
 */
final class WatchDemand {

    /** A caller that has waited often waits again soon. */
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

    /** Updates the demand from the current state. */
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
        // Last: if a call above throws, the next update repeats it.
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
