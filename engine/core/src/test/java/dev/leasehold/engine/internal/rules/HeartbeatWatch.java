package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import org.jspecify.annotations.Nullable;

/** Polls another writer's entry whenever the forecast says so. */
final class HeartbeatWatch {

    /** A poll takes as long, and an entry is visible in it that was written when it began. */
    static final long READ_NANOS = 3_000_000;

    private final long sessionNanos;
    private @Nullable HeartbeatPredictor forecast;
    private int polls;

    HeartbeatWatch(long sessionNanos) {
        this.sessionNanos = sessionNanos;
    }

    int polls() {
        return polls;
    }

    /** Polls, and returns when to poll again at the earliest. */
    long poll(long stampNanos, long atNanos) {
        polls++;
        forecast = HeartbeatPredictor.of(
                forecast,
                new WriterEntry.Sound("b", stampNanos, null, sessionNanos, null),
                sessionNanos,
                atNanos,
                atNanos + READ_NANOS);
        return forecast.nextReadNanos(atNanos + READ_NANOS);
    }

    /** Polls until so many heartbeats were written, and returns how late the last of them was seen at the most. */
    long delayNanos(long periodNanos, long offsetNanos, long phaseNanos, int heartbeats) {
        long nowNanos = phaseNanos;
        long seen = -1;
        long lateNanos = 0;
        while (seen < heartbeats) {
            long newest = nowNanos / periodNanos;
            if (newest > seen) {
                lateNanos = nowNanos + READ_NANOS - newest * periodNanos;
                seen = newest;
            }
            nowNanos = Math.max(nowNanos + 1, poll(newest * periodNanos + offsetNanos, nowNanos));
        }
        return lateNanos;
    }
}
