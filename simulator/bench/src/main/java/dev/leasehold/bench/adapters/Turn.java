package dev.leasehold.bench.adapters;

import java.time.Duration;

/**
 * When callers are at work, by the monotonic clock.
 *
 * @param beginNanos when they begin, and settle
 * @param startNanos from when on it counts what they do; they do not pause for that
 * @param endNanos until when they begin something more
 */
public record Turn(long beginNanos, long startNanos, long endNanos) {

    /** {@return a turn of a duration after a time in which callers settle} */
    public static Turn from(long beginNanos, Duration settling, Duration duration) {
        long startNanos = beginNanos + settling.toNanos();
        return new Turn(beginNanos, startNanos, startNanos + duration.toNanos());
    }

    boolean covers(long nanos) {
        return nanos - startNanos >= 0 && nanos - endNanos < 0;
    }

    long durationNanos() {
        return endNanos - startNanos;
    }
}
