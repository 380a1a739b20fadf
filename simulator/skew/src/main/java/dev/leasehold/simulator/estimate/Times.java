package dev.leasehold.simulator.estimate;

import java.util.Locale;

/** Times as people read them. */
final class Times {

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    private Times() {}

    /** With three digits or so. */
    static String words(long nanos) {
        if (nanos == 0) {
            return "0 s";
        }
        return nanos < SECOND ? round(nanos / MILLI) + " ms" : round(nanos / SECOND) + " s";
    }

    private static String round(double number) {
        if (number == Math.rint(number)) {
            return Long.toString((long) number);
        }
        return String.format(Locale.ROOT, number < 10 ? "%.2f" : "%.1f", number);
    }

    /** A part of a whole. */
    static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * part / whole);
    }
}
