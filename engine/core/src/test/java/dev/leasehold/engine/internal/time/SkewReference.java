package dev.leasehold.engine.internal.time;

import java.math.BigInteger;

/** The bound as the specification states it, in numbers of any size. */
final class SkewReference {

    private static final BigInteger NEVER = BigInteger.valueOf(ExpiryBound.NEVER);

    private SkewReference() {}

    /** For small numbers: tries one wait after the other, so that it shares no step with a division that rounds up. */
    static long safeAfterByTrying(long readEndedNanos, long writerStampNanos, long xNanos, long ppm) {
        BigInteger left = big(xNanos).subtract(big(writerStampNanos));
        BigInteger wait = BigInteger.ZERO;
        while (!covers(wait, left, ppm)) {
            wait = wait.add(BigInteger.ONE);
        }
        return big(readEndedNanos).add(wait).longValueExact();
    }

    /** Whether a wait on the fastest clock allowed lasts as long as the time left on the slowest one allowed. */
    static boolean covers(BigInteger wait, BigInteger left, long ppm) {
        return wait.multiply(big(1_000_000 - ppm)).compareTo(left.multiply(big(1_000_000 + ppm))) >= 0;
    }

    static long safeAfter(long readEndedNanos, long writerStampNanos, long xNanos, long ppm) {
        BigInteger left = big(xNanos).subtract(big(writerStampNanos)).max(BigInteger.ZERO);
        BigInteger wait = stretch(left, ppm);
        boolean fits = left.compareTo(NEVER) <= 0 && wait.compareTo(NEVER) < 0;
        return fits ? big(readEndedNanos).add(wait).min(NEVER).longValueExact() : ExpiryBound.NEVER;
    }

    static BigInteger stretch(BigInteger nanos, long ppm) {
        BigInteger[] parts = nanos.multiply(big(1_000_000 + ppm)).divideAndRemainder(big(1_000_000 - ppm));
        return parts[0].add(big(parts[1].signum()));
    }

    static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }
}
