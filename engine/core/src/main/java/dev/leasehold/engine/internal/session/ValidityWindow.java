package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An uninterrupted period of validity, which renewals prolong. It is valid until it ends, and an end is final:
 *
 * <pre>{@code
 * from    on                                             to
 * ------  ---------------------------------------------  ------------------
 * valid   prolong before the expiry                      valid, for longer
 * valid   stamped                                        valid, maybe shorter
 * valid   remainingNanos or prolong, after the expiry    ended: EXPIRED
 * valid   end                                            ended, with a reason
 * ended   end                                            ended, with the new reason
 * }</pre>
 *
 * <p>So once a caller has seen that a window is over, a late renewal does not revive it but begins another window.
 * Thread-safe; never blocks and does no I/O.
 */
final class ValidityWindow {

    private record State(Validity validity, @Nullable Reason end) {
        private boolean over() {
            return end != null;
        }
    }

    private final StampClock clock;
    private final AtomicReference<State> state;

    ValidityWindow(StampClock clock, Validity validity) {
        this(clock, new State(validity, null));
    }

    private ValidityWindow(StampClock clock, State state) {
        this.clock = clock;
        this.state = new AtomicReference<>(state);
    }

    /** An ended copy, for one of many tenures that share this window. */
    ValidityWindow ended(Reason reason) {
        return new ValidityWindow(clock, new State(validity(), reason));
    }

    /** The remaining validity by the clock that ends it first. After zero it always returns zero. */
    long remainingNanos() {
        while (true) {
            State seen = state.get();
            long remainingNanos = remainingNanos(seen);
            // A renewal may come between the read and the swap; then read again.
            if (remainingNanos > 0
                    || seen.over()
                    || state.compareAndSet(seen, new State(seen.validity(), Reason.EXPIRED))) {
                return remainingNanos;
            }
        }
    }

    private long remainingNanos(State seen) {
        return seen.over() ? 0 : seen.validity().remainingNanos(clock.nowNanos(), clock.wallNanos());
    }

    /**
     * If time of day has ended the window, how far the monotonic clock is from the end; else 0. A large value means
     * that the machine was suspended or its time of day was set.
     */
    long cutShortByWallNanos() {
        return state.get().validity().cutShortByWallNanos(clock.nowNanos(), clock.wallNanos());
    }

    /**
     * Applies a renewal, which never shortens the window.
     *
     * @return false if the window had ended
     */
    boolean prolong(Validity validity) {
        while (remainingNanos() > 0) {
            State seen = state.get();
            Validity longer = seen.validity().longer(validity, clock.nowNanos(), clock.wallNanos());
            if (!seen.over() && state.compareAndSet(seen, new State(longer, null))) {
                return true;
            }
        }
        return false;
    }

    /** The writer has issued a stamp, which bounds the window. */
    void stamped(long nowNanos, long wallNanos) {
        State seen = state.get();
        Validity bounded = seen.validity().afterStamp(nowNanos, wallNanos);
        // Only the thread that issues stamps prolongs, so a concurrent change can only be an end.
        if (bounded != seen.validity()) {
            state.compareAndSet(seen, new State(bounded, seen.end()));
        }
    }

    void end(Reason reason) {
        state.updateAndGet(seen -> new State(seen.validity(), reason));
    }

    /** Why it ended; null while it has not, or while no call has found it expired. */
    @Nullable Reason end() {
        return state.get().end();
    }

    /** The validity by the latest renewal, also after the end. */
    Validity validity() {
        return state.get().validity();
    }
}
