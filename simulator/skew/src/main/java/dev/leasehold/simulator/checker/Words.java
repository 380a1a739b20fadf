package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.HeldTenure;

/** How sentences speak of instants and tenures. */
final class Words {

    private static final long SECOND = 1_000_000_000;

    private Words() {}

    /** Seconds with all nine digits: what matters may be the last one. */
    static String seconds(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return "never";
        }
        long fraction = Math.abs(nanos % SECOND);
        String digits = Long.toString(SECOND + fraction).substring(1);
        return (nanos < 0 ? "-" : "") + Math.abs(nanos / SECOND) + "." + digits + " s";
    }

    static String holder(HeldTenure tenure) {
        return tenure.holder() + " (" + tenure.lease() + " with token " + tenure.token() + ")";
    }
}
