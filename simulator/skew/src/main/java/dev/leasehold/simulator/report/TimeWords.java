package dev.leasehold.simulator.report;

/** How lengths and instants of time are written. The same text on every JVM and in every country. */
final class TimeWords {

    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;
    private static final int SECOND_DIGITS = 9;

    private TimeWords() {}

    /** A length to the last nanosecond, in the greatest unit of which it is one at least. */
    static String exact(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return "for ever";
        }
        long size = nanos == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(nanos);
        if (size < MICROSECOND) {
            return nanos + " ns";
        }
        if (size < MILLISECOND) {
            return decimal(nanos, 3) + " µs";
        }
        return size < SECOND ? decimal(nanos, 6) + " ms" : decimal(nanos, SECOND_DIGITS) + " s";
    }

    /** A length to three digits or so, for where there is little room. */
    static String brief(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return "for ever";
        }
        long size = nanos == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(nanos);
        if (size >= 2 * HOUR) {
            return size < 2 * DAY
                    ? tenths(nanos, HOUR) + " h"
                    : size < 2 * YEAR ? tenths(nanos, DAY) + " d" : tenths(nanos, YEAR) + " y";
        }
        return exact(rounded(nanos, size));
    }

    /** With a sign in any case. */
    static String signed(long nanos) {
        return nanos > 0 ? "+" + brief(nanos) : brief(nanos);
    }

    /** An instant of true time, to the last nanosecond. */
    static String instant(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : decimal(nanos, SECOND_DIGITS) + " s";
    }

    /** An instant of true time with three digits after the point at the most. */
    static String briefInstant(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : decimal(roundedTo(nanos, MILLISECOND), SECOND_DIGITS) + " s";
    }

    /** Seconds with all nine digits after the point, so that columns of them line up. */
    static String seconds(long nanos) {
        StringBuilder text = new StringBuilder();
        long size = nanos;
        if (nanos < 0) {
            text.append('-');
            size = -nanos;
        }
        return digits(text.append(size / SECOND).append('.'), size % SECOND, SECOND_DIGITS)
                .toString();
    }

    private static long rounded(long nanos, long size) {
        long step = 1;
        for (long rest = size; rest >= 1_000; rest /= 10) {
            step *= 10;
        }
        return roundedTo(nanos, step);
    }

    private static long roundedTo(long nanos, long step) {
        return Math.floorDiv(nanos, step) * step + (Math.floorMod(nanos, step) * 2 >= step ? step : 0);
    }

    private static String tenths(long nanos, long unit) {
        return decimal(nanos / (unit / 10), 1);
    }

    /** Without zeros at the end. */
    private static String decimal(long value, int places) {
        long unit = 1;
        for (int i = 0; i < places; i++) {
            unit *= 10;
        }
        StringBuilder text = new StringBuilder();
        if (value < 0) {
            text.append('-');
        }
        text.append(Math.abs(value / unit));
        long rest = Math.abs(value % unit);
        if (rest != 0) {
            digits(text.append('.'), rest, places);
            while (text.charAt(text.length() - 1) == '0') {
                text.setLength(text.length() - 1);
            }
        }
        return text.toString();
    }

    private static StringBuilder digits(StringBuilder text, long value, int places) {
        String digits = Long.toString(value);
        for (int i = digits.length(); i < places; i++) {
            text.append('0');
        }
        return text.append(digits);
    }
}
