package dev.leasehold.engine.internal.time;

/**
 * Until when this process may act as holder, by its own clock and without a request to the database. Immutable.
 *
 * <p>A validity ends by local (monotonic) time or by wall time, whichever comes first. The monotonic clock of a
 * suspended machine may stand still; after the resume the wall clock shows that time has passed. A forward step of the
 * wall clock ends a validity early, which is safe. A backward step changes nothing, because local time still bounds it.
 *
 * @param untilNanos first instant of local time at which the validity is over, in nanoseconds
 * @param wallUntilNanos first instant of wall time at which the validity is over, in nanoseconds
 * @param lengthNanos the duration of the grant, in nanoseconds: the longer it is, the further apart the two clocks may
 *     reach the end
 */
public record Validity(long untilNanos, long wallUntilNanos, long lengthNanos) {

    /**
     * The validity that a write gives if it lands. Both readings must be taken before the write is sent: other engines
     * count from what it stores, so a reading taken after the reply would let the validity outlive the lease.
     *
     * <p>It counts from the reading, not from the stamp of the write, which is ahead of the reading if the clock stands
     * still.
     */
    public static Validity from(long nowNanos, long wallNanos, long durationNanos) {
        return new Validity(
                ExactSum.ofNanos("end of the validity", nowNanos, durationNanos),
                ExactSum.ofNanos("end of the validity by wall time", wallNanos, durationNanos),
                durationNanos);
    }

    /** How much monotonic time was left when wall time alone ended the validity. */
    public long cutShortByWallNanos(long nowNanos, long wallNanos) {
        return wallNanos >= wallUntilNanos ? leftNanos(nowNanos, untilNanos) : 0;
    }

    /**
     * The remaining validity: the smaller of what is left by local and by wall time. From either end on it is 0, and the process must not act as
     * holder.
     */
    public long remainingNanos(long nowNanos, long wallNanos) {
        return Math.min(leftNanos(nowNanos, untilNanos), leftNanos(wallNanos, wallUntilNanos));
    }

    private static long leftNanos(long nowNanos, long untilNanos) {
        if (nowNanos >= untilNanos) {
            return 0;
        }
        long leftNanos = untilNanos - nowNanos;
        return leftNanos < 0 ? Long.MAX_VALUE : leftNanos;
    }

    /**
     * The validity after its writer has issued a later stamp. Other engines count from whichever stamp they have read,
     * so wall time must not leave more than that stamp does: if the monotonic clock was faster until then and now
     * stops, wall time alone would end the validity later than other engines expect.
     */
    public Validity afterStamp(long nowNanos, long wallNanos) {
        long leftNanos = untilNanos - nowNanos;
        long wallEndNanos = wallNanos + leftNanos;
        boolean earlier = leftNanos > 0 && wallEndNanos > wallNanos && wallEndNanos < wallUntilNanos;
        return earlier ? new Validity(untilNanos, wallEndNanos, lengthNanos) : this;
    }

    /**
     * The one of two validities of the same tenure that counts after an extend: the one of which more is left. Never a
     * mixture: the local end of one and the wall end of the other were never granted together, and after a suspend both
     * could lie ahead although either validity is over.
     */
    public Validity longer(Validity other, long nowNanos, long wallNanos) {
        return other.remainingNanos(nowNanos, wallNanos) > remainingNanos(nowNanos, wallNanos) ? other : this;
    }
}
