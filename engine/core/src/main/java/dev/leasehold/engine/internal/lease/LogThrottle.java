package dev.leasehold.engine.internal.lease;

/** How a failure is told that happens again and again to each of many leases: an outage is to fill no log. */
final class LogThrottle {

    private LogThrottle() {}

    /** Whether a failure is worth a warning; the others are told at debug. The first is, and one each time that they have doubled. */
    static boolean isTold(int failures) {
        return Integer.bitCount(failures) == 1;
    }
}
