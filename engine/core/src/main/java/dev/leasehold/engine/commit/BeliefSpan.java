package dev.leasehold.engine.commit;

import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One unbroken span of believing. Once somebody was told that it is over it is over for ever, also when a renewal comes after
 * all: that begins another span. Safe for many threads; never blocks, does no I/O.
 */
final class BeliefSpan {

    private record State(Belief belief, boolean over) {}

    private final StampClock clock;
    private final AtomicReference<State> state;

    BeliefSpan(StampClock clock, Belief belief) {
        this.clock = clock;
        this.state = new AtomicReference<>(new State(belief, false));
    }

    /** How long it lasts yet, by whichever clock ends it first; whoever is told zero will never be told more. */
    long remainingNanos() {
        while (true) {
            State seen = state.get();
            long remainingNanos = remainingNanos(seen);
            // A renewal may come between the look and the answer; then look again.
            if (remainingNanos > 0 || seen.over() || state.compareAndSet(seen, over(seen))) {
                return remainingNanos;
            }
        }
    }

    private long remainingNanos(State seen) {
        return seen.over() ? 0 : seen.belief().remainingNanos(clock.nowNanos(), clock.wallNanos());
    }

    /**
     * How far the monotonic clock is from its end when time of day has ended it; 0 when it has not. If that is much, the machine was
     * suspended, or its time of day was set.
     */
    long cutShortByWallNanos() {
        return state.get().belief().cutShortByWallNanos(clock.nowNanos(), clock.wallNanos());
    }

    /**
     * A renewal came. It never gets shorter by it.
     *
     * @return false if it came too late
     */
    boolean prolong(Belief belief) {
        while (remainingNanos() > 0) {
            State seen = state.get();
            Belief longer = seen.belief().longer(belief, clock.nowNanos(), clock.wallNanos());
            if (!seen.over() && state.compareAndSet(seen, new State(longer, false))) {
                return true;
            }
        }
        return false;
    }

    /** Its writer has issued a stamp. */
    void stamped(long nowNanos, long wallNanos) {
        State seen = state.get();
        Belief bounded = seen.belief().afterStamp(nowNanos, wallNanos);
        // Only the thread that issues stamps prolongs, so that what comes between can but end it.
        if (bounded != seen.belief()) {
            state.compareAndSet(seen, new State(bounded, seen.over()));
        }
    }

    /** It is over, whatever the clocks say. */
    void end() {
        state.updateAndGet(BeliefSpan::over);
    }

    private static State over(State state) {
        return new State(state.belief(), true);
    }

    /** How far the latest renewal reaches, the span being over or not. */
    Belief belief() {
        return state.get().belief();
    }
}
