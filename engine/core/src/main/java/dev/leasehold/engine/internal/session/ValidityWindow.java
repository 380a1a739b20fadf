package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One unbroken span of believing. Once somebody was told that it is over it is over for ever, also when a renewal comes after
 * all: that begins another span. Safe for many threads; never blocks, does no I/O.
 */
final class ValidityWindow {

    /** Why it is over; null while it is not. */
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

    /** The same for one tenure of many that share this one, and over. */
    ValidityWindow ended(Reason reason) {
        return new ValidityWindow(clock, new State(validity(), reason));
    }

    /** How long it lasts yet, by whichever clock ends it first; whoever is told zero will never be told more. */
    long remainingNanos() {
        while (true) {
            State seen = state.get();
            long remainingNanos = remainingNanos(seen);
            // A renewal may come between the look and the answer; then look again.
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
     * How far the monotonic clock is from its end when time of day has ended it; 0 when it has not. If that is much, the machine was
     * suspended, or its time of day was set.
     */
    long cutShortByWallNanos() {
        return state.get().validity().cutShortByWallNanos(clock.nowNanos(), clock.wallNanos());
    }

    /**
     * A renewal came. It never gets shorter by it.
     *
     * @return false if it came too late
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

    /** Its writer has issued a stamp. */
    void stamped(long nowNanos, long wallNanos) {
        State seen = state.get();
        Validity bounded = seen.validity().afterStamp(nowNanos, wallNanos);
        // Only the thread that issues stamps prolongs, so that what comes between can but end it.
        if (bounded != seen.validity()) {
            state.compareAndSet(seen, new State(bounded, seen.end()));
        }
    }

    /** It is over, whatever the clocks say. */
    void end(Reason reason) {
        state.updateAndGet(seen -> new State(seen.validity(), reason));
    }

    /** Why it is over, time being up where nobody has ended it; null while it is not, or nobody has looked. */
    @Nullable Reason end() {
        return state.get().end();
    }

    /** How far the latest renewal reaches, the span being over or not. */
    Validity validity() {
        return state.get().validity();
    }
}
