package dev.leasehold.simulator.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Writes durations and instants. The text is the same on every JVM and in every locale. */
public final class TimeText {

    private static final int NANO_DIGITS = 9;
    private static final MathContext THREE_DIGITS = new MathContext(3);

    /** From the largest one to the smallest one. */
    private enum Unit {
        YEARS("y", 31_536_000_000_000_000L, 2),
        DAYS("d", 86_400_000_000_000L, 2),
        HOURS("h", 3_600_000_000_000L, 2),
        SECONDS("s", 1_000_000_000L, 1),
        MILLISECONDS("ms", 1_000_000, 1),
        MICROSECONDS("µs", 1_000, 1),
        NANOSECONDS("ns", 1, 0);

        private final String symbol;
        private final long nanos;
        /** The unit is used from this number on. */
        private final int least;

        Unit(String symbol, long nanos, int least) {
            this.symbol = symbol;
            this.nanos = nanos;
            this.least = least;
        }
    }

    private TimeText() {}

    /** A duration to the nanosecond. */
    static String exact(long nanos) {
        return nanos == Long.MAX_VALUE ? "forever" : text(nanos, Unit.SECONDS, MathContext.UNLIMITED);
    }

    /** A duration with three significant digits. */
    public static String brief(long nanos) {
        return nanos == Long.MAX_VALUE ? "forever" : text(nanos, Unit.YEARS, THREE_DIGITS);
    }

    private static String text(long nanos, Unit largest, MathContext digits) {
        BigDecimal rounded = BigDecimal.valueOf(nanos).round(digits).abs();
        Unit unit = largest;
        while (rounded.compareTo(BigDecimal.valueOf(unit.nanos * unit.least)) < 0) {
            unit = Unit.values()[unit.ordinal() + 1];
        }
        BigDecimal number = BigDecimal.valueOf(nanos)
                .divide(BigDecimal.valueOf(unit.nanos), NANO_DIGITS, RoundingMode.HALF_EVEN)
                .round(digits);
        return plain(number) + ' ' + unit.symbol;
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    /** An instant of true time to the nanosecond. */
    static String instant(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : plain(BigDecimal.valueOf(nanos, NANO_DIGITS)) + " s";
    }

    /** An instant of true time to the millisecond. */
    static String briefInstant(long nanos) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, NANO_DIGITS);
        return nanos == Long.MAX_VALUE ? "never" : plain(seconds.setScale(3, RoundingMode.HALF_UP)) + " s";
    }
}
