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
     * The bound that follows from one read: never before {@code readEndedNanos}, and exactly that if the writer's clock
     * had reached {@code xNanos} already. {@link #NEVER} if the time that is left or the bound itself does not fit.
     *
     * @param writerStampNanos the newest stamp of the writer that the read contains, on the writer's clock
     * @param xNanos the instant in question, on the writer's clock
     */
    public static long nanos(long readEndedNanos, long writerStampNanos, long xNanos, Drift drift) {
        if (xNanos <= writerStampNanos) {
            return readEndedNanos;
        }
        long leftNanos = xNanos - writerStampNanos;
        // The true difference is positive here, so a negative one has wrapped around.
        return leftNanos < 0 ? NEVER : laterNanos(readEndedNanos, drift.stretchNanos(leftNanos));
    }

    /** The instant after a wait, which is not negative; {@link #NEVER} if the wait is that already, or the end does not fit. */
    public static long laterNanos(long instantNanos, long waitNanos) {
        // NEVER also stands for any longer wait: added to a negative instant it would become a bound that is
        // too early.
        if (waitNanos == NEVER) {
            return NEVER;
        }
        long sumNanos = instantNanos + waitNanos;
        return sumNanos < instantNanos ? NEVER : sumNanos;
    }

    /** Whether the local clock is past the bound. Equality is not yet past, and nothing is past {@link #NEVER}. */
    public static boolean hasPassed(long nowNanos, long safeAfterNanos) {
        return nowNanos > safeAfterNanos;
    }

    /**
     * The earliest instant that is certainly past the bound. An expiry that is converted to this clock takes this
     * value, because at the bound itself the old expiry may still lie ahead on its writer's clock. Throws for {@link
     * #NEVER}.
     */
    public static long firstNanosAfter(long safeAfterNanos) {
        if (safeAfterNanos == NEVER) {
            throw new ArithmeticException("overflow: no instant is after " + safeAfterNanos + " ns (never)");
        }
        return safeAfterNanos + 1;
    }
}
