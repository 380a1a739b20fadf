package dev.leasehold.bench.measure;

import java.util.List;
import java.util.Locale;

/** How values are shown. */
public enum Unit {
    /** Nanoseconds inside; people read seconds, or thousandths of them, and so on. */
    TIME(
            new Scale(1e9, " s", ", s"),
            new Scale(1e6, " ms", ", ms"),
            new Scale(1e3, " µs", ", µs"),
            new Scale(1, " ns", ", ns")),
    /** So many per second. */
    RATE(new Scale(1, "/s", "")),
    /** A plain number. */
    COUNT(new Scale(1, "", "")),
    /** A part of all. */
    SHARE(new Scale(0.01, " %", ", %")),
    /** Bytes. */
    BYTES(new Scale(1, " B", ""));

    private static final double MANY = 100;
    private static final double SOME = 10;
    private static final double FEW = 0.1;

    private final List<Scale> scales;

    /** The greatest scale comes first. */
    Unit(Scale... scales) {
        this.scales = List.of(scales);
    }

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

    /** {@return the unit that suits the value} */
    public Scale scale(double value) {
        return scales.stream()
                .filter(scale -> value >= scale.divisor)
                .findFirst()
                .orElse(scales.get(scales.size() - 1));
    }

    /** {@return the value with its unit, with about three digits} */
    public String show(double value) {
        Scale scale = scale(value);
        return scale.number(value) + scale.suffix();
    }

    /** {@return a number with about three digits, and commas between thousands} */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= MANY ? "%,.0f" : size >= SOME ? "%.1f" : size >= FEW || size == 0 ? "%.2f" : "%.3g";
        return String.format(Locale.ROOT, format, value);
    }
}
