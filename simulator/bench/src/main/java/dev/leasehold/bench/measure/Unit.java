package dev.leasehold.bench.measure;

import java.util.Locale;

/** How values are shown. */
public enum Unit {
    /** Nanoseconds inside; people read seconds, or thousandths of them, and so on. */
    TIME {
        @Override
        public String show(double nanos) {
            return nanos >= SECOND_NANOS
                    ? number(nanos / SECOND_NANOS) + " s"
                    : nanos >= MILLI_NANOS
                            ? number(nanos / MILLI_NANOS) + " ms"
                            : nanos >= MICRO_NANOS ? number(nanos / MICRO_NANOS) + " µs" : number(nanos) + " ns";
        }
    },
    /** So many per second. */
    RATE {
        @Override
        public String show(double perSecond) {
            return number(perSecond) + "/s";
        }
    },
    /** A plain number. */
    COUNT {
        @Override
        public String show(double count) {
            return number(count);
        }
    },
    /** Bytes. */
    BYTES {
        @Override
        public String show(double bytes) {
            return number(bytes) + " B";
        }
    };

    private static final double SECOND_NANOS = 1e9;
    private static final double MILLI_NANOS = 1e6;
    private static final double MICRO_NANOS = 1e3;
    private static final double MANY = 100;
    private static final double SOME = 10;
    private static final double FEW = 0.1;

    /** {@return the value with its unit, with about three digits} */
    public abstract String show(double value);

    /** {@return a number with about three digits, and commas between thousands} */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= MANY ? "%,.0f" : size >= SOME ? "%.1f" : size >= FEW || size == 0 ? "%.2f" : "%.3g";
        return String.format(Locale.ROOT, format, value);
    }
}
