package dev.leasehold.bench.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations like {@code 20s}, {@code 500ms}, {@code 1.5s} and {@code 2m}. */
final class DurationText implements ITypeConverter<Duration> {

    private static final long LONGEST_MILLIS = 3_600_000;

    @Override
    public Duration convert(String text) {
        // Of two words of which one ends like the other, the longer one comes first.
        long millis = text.endsWith("ms")
                ? millis(text, "ms", 1)
                : text.endsWith("s")
                        ? millis(text, "s", 1_000)
                        : text.endsWith("m") ? millis(text, "m", 60_000) : refuse(text);
        if (millis < 1 || millis > LONGEST_MILLIS) {
            throw new TypeConversionException("duration '" + text + "' is refused: 1ms to 60m");
        }
        return Duration.ofMillis(millis);
    }

    private static long millis(String text, String word, long unitMillis) {
        String number = text.substring(0, text.length() - word.length());
        // What else the parser of numbers takes, such as signs, exponents and words, is not how people write a
        // duration.
        return number.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")
                ? Math.round(Double.parseDouble(number) * unitMillis)
                : refuse(text);
    }

    private static long refuse(String text) {
        throw new TypeConversionException(
                "duration '" + text + "' is refused: it is written like 20s, 500ms, 1.5s or 2m");
    }
}
