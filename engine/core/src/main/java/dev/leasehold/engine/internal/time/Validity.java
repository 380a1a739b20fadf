package dev.leasehold.engine.internal.time;

/**
 * Until when a holder may believe that it holds: on its own clock, and without asking anybody. Immutable.
 *
 * <p>A belief ends by local (monotonic) time or by wall time, whichever comes first. The monotonic clock of a suspended machine may stand
 * still; the wall clock then shows on waking that time has passed. A forward step of the wall clock ends a belief early, which is safe. A
 * backward step changes nothing, because local time still bounds the belief.
 *
 * @param untilNanos first instant of local time at which the belief is over, in nanoseconds
 * @param wallUntilNanos first instant of wall time at which the belief is over, in nanoseconds
 * @param lengthNanos for how long it was granted, in nanoseconds: the further away its ends were, the further apart two clocks may
 *     come to them
 */
public record Validity(long untilNanos, long wallUntilNanos, long lengthNanos) {

    /**
     * The belief that an attempt forms if it lands. Both readings must be taken before the attempt is sent: others
     * count from what it writes, so a reading taken after the reply would let the belief outlive the lease.
     *
     * <p>Counts from the reading itself, not from the stamp of the write, which runs ahead of the reading where the clock stands still.
     *
     * @param nowNanos local time before the attempt was sent, in nanoseconds
     * @param wallNanos wall time before the attempt was sent, in nanoseconds
     * @param durationNanos how long the attempt holds, in nanoseconds
     * @return the belief
     * @throws ArithmeticException if either end does not fit into an int64
     */
    public static Validity from(long nowNanos, long wallNanos, long durationNanos) {
        return new Validity(
                ExactSum.ofNanos("end of the belief", nowNanos, durationNanos),
                ExactSum.ofNanos("end of the belief by wall time", wallNanos, durationNanos),
                durationNanos);
    }

    /**
     * Whether the belief holds. At either end itself it does not hold any more.
     *
     * @param nowNanos local time, in nanoseconds
     * @param wallNanos wall time, in nanoseconds
     * @return true strictly before both ends
     */
    public boolean holdsAt(long nowNanos, long wallNanos) {
        return nowNanos < untilNanos && wallNanos < wallUntilNanos;
    }

    /**
     * How much of the belief was left by monotonic time when wall time alone has ended it.
     *
     * @param nowNanos local time, in nanoseconds
     * @param wallNanos wall time, in nanoseconds
     * @return nanoseconds; 0 while the belief holds, and also once both ends are reached
     */
    public long cutShortByWallNanos(long nowNanos, long wallNanos) {
        return wallNanos >= wallUntilNanos ? leftNanos(nowNanos, untilNanos) : 0;
    }

    /**
     * How much of the belief is left: the smaller of what is left by local and by wall time.
     *
     * @param nowNanos local time, in nanoseconds
     * @param wallNanos wall time, in nanoseconds
     * @return nanoseconds, positive exactly while the belief holds and 0 otherwise; what does not fit is {@link Long#MAX_VALUE}
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
     * The same belief once its writer has issued a later stamp. Others count what is left from whichever stamp they have seen, so wall time
     * must not leave more than that stamp does: where the monotonic clock was the faster one up to there, and then stops, wall time
     * alone would end the belief later than others expect.
     *
     * @param nowNanos local time when it was issued, in nanoseconds
     * @param wallNanos wall time when it was issued, in nanoseconds
     * @return this, or one that wall time ends earlier
     */
    public Validity afterStamp(long nowNanos, long wallNanos) {
        long leftNanos = untilNanos - nowNanos;
        long wallEndNanos = wallNanos + leftNanos;
        boolean earlier = leftNanos > 0 && wallEndNanos > wallNanos && wallEndNanos < wallUntilNanos;
        return earlier ? new Validity(untilNanos, wallEndNanos, lengthNanos) : this;
    }

    /**
     * Which of two beliefs in one and the same tenure counts after an extend: the one of which more is left. Never a mixture: the local end of
     * one and the wall end of the other are what nobody granted, and after a suspend both could be yet to come when either belief is over.
     *
     * @param other the other belief
     * @param nowNanos local time, in nanoseconds
     * @param wallNanos wall time, in nanoseconds
     * @return one of the two; this one if as much is left of both
     */
    public Validity longer(Validity other, long nowNanos, long wallNanos) {
        return other.remainingNanos(nowNanos, wallNanos) > remainingNanos(nowNanos, wallNanos) ? other : this;
    }
}
