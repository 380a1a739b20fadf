package dev.leasehold.engine.internal.time;

/**
 * The largest rate error of any clock that takes part: a second of true time counts as {@code 1 - ppm/1e6} to {@code 1 + ppm/1e6}
 * seconds on every one of them.
 *
 * @param ppm parts per million, 0 to 999 999; 0 means that all clocks run at exactly the same rate
 */
public record Drift(long ppm) {

    private static final long MILLION = 1_000_000;

    public Drift {
        if (ppm < 0 || ppm >= MILLION) {
            throw new IllegalArgumentException("drift " + ppm + " ppm is refused: it must be 0 to 999999 ppm");
        }
    }

    /**
     * The longest time that this clock can show while another one advances by {@code nanos}: {@code nanos} times
     * (1 000 000 + ppm) / (1 000 000 - ppm), rounded up to a whole nanosecond; {@link ExpiryBound#NEVER} if it
     * does not fit.
     */
    public long stretchNanos(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("elapsed time of " + nanos + " ns: must not be negative");
        }
        long fastest = MILLION + ppm;
        long slowest = MILLION - ppm;
        // Whole multiples of the divisor are exact, so only the rest, below 10^6, is ever multiplied before it is
        // divided.
        long exactParts = nanos / slowest;
        long stretchedRest = divideUp(nanos % slowest * fastest, slowest);
        boolean fits = exactParts <= (Long.MAX_VALUE - stretchedRest) / fastest;
        return fits ? exactParts * fastest + stretchedRest : ExpiryBound.NEVER;
    }

    private static long divideUp(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
