package dev.leasehold.bench.measure;

import java.util.Locale;

/** How values are shown. */
public enum Unit {
    /** Nanoseconds inside; people read seconds, or thousandths of them, and so on. */
    TIME {
        @Override
        public Scale scale(double nanos) {
            return nanos >= SECOND_NANOS
                    ? new Scale(SECOND_NANOS, " s", ", s")
                    : nanos >= MILLI_NANOS
                            ? new Scale(MILLI_NANOS, " ms", ", ms")
                            : nanos >= MICRO_NANOS
                                    ? new Scale(MICRO_NANOS, " µs", ", µs")
                                    : new Scale(1, " ns", ", ns");
        }
    },
    /** So many per second. */
    RATE {
        @Override
        public Scale scale(double perSecond) {
            return new Scale(1, "/s", "");
        }
    },
    /** A plain number. */
    COUNT {
        @Override
        public Scale scale(double count) {
            return new Scale(1, "", "");
        }
    },
    /** A part of all. */
    SHARE {
        @Override
        public Scale scale(double share) {
            return new Scale(1 / MANY, " %", ", %");
        }
    },
    /** Bytes. */
    BYTES {
        @Override
        public Scale scale(double bytes) {
            return new Scale(1, " B", "");
        }
    };

    /**
     * The unit that suits a value.
     *
     * @param divisor how many of the inner unit are one of it
     * @param suffix behind a number
     * @param unit behind the title of a column of plain numbers, where the title does not say it
     */
    public record Scale(double divisor, String suffix, String unit) {

        /** {@return the value in this unit, with about three digits} */
        public String number(double value) {
            return Unit.number(value / divisor);
        }
    }

    private static final double SECOND_NANOS = 1e9;
    private static final double MILLI_NANOS = 1e6;
    private static final double MICRO_NANOS = 1e3;
    private static final double MANY = 100;
    private static final double SOME = 10;
    private static final double FEW = 0.1;

    /** {@return the value with its unit, with about three digits} */
    public final String show(double value) {
        Scale scale = scale(value);
        return scale.number(value) + scale.suffix();
    }

    /** {@return the unit that suits the value} */
    public abstract Scale scale(double value);

    /** {@return a number with about three digits, and commas between thousands} */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= MANY ? "%,.0f" : size >= SOME ? "%.1f" : size >= FEW || size == 0 ? "%.2f" : "%.3g";
        return String.format(Locale.ROOT, format, value);
    }
}
