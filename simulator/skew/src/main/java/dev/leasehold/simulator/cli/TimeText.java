package dev.leasehold.simulator.cli;

/** Reads times like {@code 30s}, {@code 500ms}, {@code 1.5s} and {@code 2m}, in nanoseconds. */
final class TimeText {

    /** Longer units first where one ends like another. */
    private enum Unit {
        NS("ns", 1),
        US("us", 1_000),
        MS("ms", 1_000_000),
        S("s", 1_000_000_000L),
        M("m", 60_000_000_000L),
        H("h", 3_600_000_000_000L);

        private final String word;
        private final long nanos;

        Unit(String word, long nanos) {
            this.word = word;
            this.nanos = nanos;
        }
    }

    private TimeText() {}

    /** Refuses what is no time. */
    static long nanos(String text) {
        for (Unit unit : Unit.values()) {
            if (text.endsWith(unit.word)) {
                return nanos(text, text.substring(0, text.length() - unit.word.length()), unit);
            }
        }
        throw refused(text);
    }

    private static long nanos(String text, String number, Unit unit) {
        // What else the parser of numbers takes, such as signs, exponents and words, is not how anybody writes a time.
        if (!number.matches("[0-9]{1,12}(\\.[0-9]{1,9})?")) {
            throw refused(text);
        }
        double nanos = Double.parseDouble(number) * unit.nanos;
        if (nanos > Long.MAX_VALUE / 2.0) {
            throw new IllegalArgumentException("time '" + text + "' is refused: it is longer than a century");
        }
        return Math.round(nanos);
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "time '" + text + "' is refused: it is written like 30s, 500ms, 1.5s or 2m");
    }
}
