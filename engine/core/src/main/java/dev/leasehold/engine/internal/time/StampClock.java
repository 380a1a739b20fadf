package dev.leasehold.engine.internal.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Local time of one engine, and the stamps of its writer in one clock document.
 *
 * <p>Local time starts at the wall time of construction, so that it is readable in the database, and then follows the
 * monotonic source alone. A step of the wall clock never changes it. A wrong start does no harm: other engines measure
 * only how this clock advances.
 *
 * <p>Thread-safe. Never blocks.
 */
public final class StampClock {

    private static final long NONE = Long.MIN_VALUE;

    /**
     * The earliest start of local time. It makes sure that no stamp, no instant right before a stamp and no expiry is
     * 0, which a document uses for a missing value.
     */
    private static final long EARLIEST_START_NANOS = 2;

    private final EngineClock clock;
    private final long startWallNanos;
    private final long startMonotonicNanos;
    private final AtomicLong lastStampNanos = new AtomicLong(NONE);

    /**
     * Starts local time at the present wall time, or at the epoch if wall time is before that. Reads each source once.
     */
    public StampClock(EngineClock clock) {
        this(clock, Math.max(EARLIEST_START_NANOS, clock.wallNanos()), clock.monotonicNanos());
    }

    private StampClock(EngineClock clock, long startWallNanos, long startMonotonicNanos) {
        this.clock = clock;
        this.startWallNanos = startWallNanos;
        this.startMonotonicNanos = startMonotonicNanos;
    }

    /** The same local time with separate stamps, none issued yet, for a writer in another clock document. */
    public StampClock withStampsOfItsOwn() {
        return new StampClock(clock, startWallNanos, startMonotonicNanos);
    }

    /** The present local time: where it started plus the monotonic time elapsed since. */
    public long nowNanos() {
        // The difference is taken first, in wrapping arithmetic, because the monotonic source may overflow at
        // any time.
        long elapsedNanos = clock.monotonicNanos() - startMonotonicNanos;
        return ExactSum.ofNanos("local time", startWallNanos, elapsedNanos);
    }

    /** The instant so long from now, saturating. */
    public long inNanos(long nanos) {
        return sum(nowNanos(), nanos);
    }

    /** The sum of an instant and a length, saturating. */
    public static long sum(long atNanos, long nanos) {
        long sum = atNanos + nanos;
        return sum < atNanos ? Long.MAX_VALUE : sum;
    }

    /** The present wall time, including steps. It is compared only with earlier readings of the same machine. */
    public long wallNanos() {
        return clock.wallNanos();
    }

    /**
     * The stamp that {@link #nextStampNanos} would issue, without issuing it: a decision that needs no write uses no
     * stamp.
     */
    public long peekStampNanos(long nowNanos) {
        return following(lastStampNanos.get(), nowNanos);
    }

    /**
     * Issues the stamp of the next write. No stamp is issued twice, so a writer and a stamp identify one write forever.
     *
     * <p>The first stamp is the clock reading itself. A writer therefore registers with the instant one nanosecond
     * before it, which is not issued here: its first transaction may then carry the present instant and is still newer
     * than the registration.
     */
    public long nextStampNanos(long nowNanos) {
        return lastStampNanos.updateAndGet(lastNanos -> following(lastNanos, nowNanos));
    }

    /** The newest stamp issued; {@link Long#MIN_VALUE} before the first. */
    public long lastStampNanos() {
        return lastStampNanos.get();
    }

    private static long following(long lastNanos, long nowNanos) {
        return Math.max(nowNanos, ExactSum.ofNanos("next stamp", lastNanos, 1));
    }
}
