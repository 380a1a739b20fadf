package dev.leasehold.engine.internal.time;

/** Sums of an instant and a duration that throw on overflow instead of wrapping around. */
final class ExactSum {

    private ExactSum() {}

    static long ofNanos(String what, long instantNanos, long durationNanos) {
        long sumNanos = instantNanos + durationNanos;
        boolean forward = durationNanos >= 0;
        if (forward != (sumNanos >= instantNanos)) {
            throw new ArithmeticException("overflow: " + what + " = " + instantNanos + " ns + " + durationNanos
                    + " ns does not fit into an int64 of nanoseconds");
        }
        return sumNanos;
    }
}
