package dev.leasehold.engine.internal.time;

/**
 * The earliest local instant strictly after which another writer's clock is known to have passed a given instant of its
 * own.
 *
 * <p>A bound that overflows is {@link #NEVER}: waiting too long costs time, waiting too short breaks mutual exclusion.
 */
public final class ExpiryBound {

    /** The bound that no instant is past. */
    public static final long NEVER = Long.MAX_VALUE;

    private ExpiryBound() {}

    /**
     * The bound that follows from one read.
     *
     * @param readEndedNanos the reader's clock when the answer was there, in nanoseconds
     * @param writerStampNanos the newest stamp of the writer that the read contains, on the writer's clock, in nanoseconds
     * @param xNanos the instant in question, on the writer's clock, in nanoseconds
     * @param drift the largest rate error of either clock
     * @return the bound on the reader's clock, in nanoseconds, never before {@code readEndedNanos}; exactly that if the writer's clock had
     *     reached {@code xNanos} already; {@link #NEVER} if the time that is left or the bound itself does not fit
     */
    public static long nanos(long readEndedNanos, long writerStampNanos, long xNanos, Drift drift) {
        if (xNanos <= writerStampNanos) {
            return readEndedNanos;
        }
        long leftNanos = xNanos - writerStampNanos;
        // The true difference is positive here, so a negative one has wrapped around.
        return leftNanos < 0 ? NEVER : laterNanos(readEndedNanos, drift.stretchNanos(leftNanos));
    }

    /**
     * The instant after a wait.
     *
     * @param instantNanos where the wait begins, in nanoseconds
     * @param waitNanos how long it lasts, in nanoseconds, not negative
     * @return its end, in nanoseconds; {@link #NEVER} if the wait is that already, or the end does not fit
     */
    public static long laterNanos(long instantNanos, long waitNanos) {
        // NEVER also stands for any longer wait: added to a negative instant it would become a bound that is
        // too early.
        if (waitNanos == NEVER) {
            return NEVER;
        }
        long sumNanos = instantNanos + waitNanos;
        return sumNanos < instantNanos ? NEVER : sumNanos;
    }

    /**
     * Whether the local clock is past the bound. Equality is not yet past.
     *
     * @param nowNanos the local instant, in nanoseconds
     * @param safeAfterNanos the bound, in nanoseconds
     * @return true strictly after the bound; always false for {@link #NEVER}
     */
    public static boolean hasPassed(long nowNanos, long safeAfterNanos) {
        return nowNanos > safeAfterNanos;
    }

    /**
     * The earliest instant that is certainly past the bound. An expiry that is converted to this clock takes this
     * value, because at the bound itself the old expiry may still lie ahead on its writer's clock.
     *
     * @param safeAfterNanos the bound, in nanoseconds
     * @return one nanosecond after the bound
     * @throws ArithmeticException if the bound is {@link #NEVER}
     */
    public static long firstNanosAfter(long safeAfterNanos) {
        if (safeAfterNanos == NEVER) {
            throw new ArithmeticException("overflow: no instant is after " + safeAfterNanos + " ns (never)");
        }
        return safeAfterNanos + 1;
    }
}
